(* What a certificate states (FORMAT.md, Statement), as data, and what it means in real numbers. Indices and tables only: nothing is
   computed here but what a number of the file is. *)
From Coq Require Import Reals Lra Psatz ZArith Lia.
From Coquelicot Require Import Coquelicot.
From Coq Require Import List.
From PlannerCcd Require Import Vectors Taylor Moves Bounds Curves.
Import ListNotations.
Open Scope R_scope.

(* mant * 2^expo: every finite double and single is one. *)
Record number := Num { mant : Z; expo : Z }.
Record triple := Triple { tx : number; ty : number; tz : number }.
Record quaternion := Quaternion { qw : number; qx : number; qy : number; qz : number }.

Definition real (n : number) : R := IZR (mant n) * powerRZ 2 (expo n).
Definition point (p : triple) : vec := V3 (real (tx p)) (real (ty p)) (real (tz p)).

(* FORMAT.md, Move: a translation, a rotation, a turn about the segment's axis; then curve or none, multiplier, offset. *)
Inductive kind := Translation (axis : triple) | Rotation (axis : triple) | Turning (turn : nat).
Record move := Move { kind_of : kind; on : option nat; multiplier : number; offset : number }.

Record body := Body { parent : nat; placed : quaternion; shifted : triple; moves : list move }.

(* All within the radius of a triangle; or the solid cylinder of this radius about the axis from a to b. *)
Inductive primitive :=
| Triangle (a b c : triple) (r : number)
| Cylinder (a b : triple) (r : number).

Record collider := Collider { carrier : nat; primitives : list primitive }.
Record pair := Pair { left_of : nat; right_of : nat; margin_of : number }.
Record polynomial := Polynomial { coefficients : list number; tube_of : number }.
Record segment := Segment { curves : list polynomial; turns : list (triple * quaternion) }.

Record statement := Statement {
  bodies : list body;  (* numbered from 1; 0 is the world *)
  colliders : list collider;
  pairs : list pair;
  excluded : list (nat * nat);
  segments : list segment }.

(* ---- what it means ---------------------------------------------------------------------------------------------------- *)

Definition in_primitive (p : primitive) (x : vec) : Prop :=
  match p with
  | Triangle a b c r => exists y, hull [point a; point b; point c] y /\ norm (vsub x y) <= real r
  | Cylinder a b r => exists k u, 0 <= k <= 1 /\ x = vadd (mix k (point a) (point b)) u /\
      dot u (vsub (point b) (point a)) = 0 /\ norm u <= real r
  end.

(* The move's stated polynomial, multiplier * curve(u) + offset, and half the width of its tube. *)
Definition stated (sg : segment) (mv : move) : list R :=
  match on mv with
  | None => [real (offset mv)]
  | Some k => sum [real (offset mv)] (scaled (real (multiplier mv)) (map real (coefficients (nth k (curves sg) (Polynomial [] (Num 0 0))))))
  end.

Definition tube (sg : segment) (mv : move) : R :=
  match on mv with
  | None => 0
  | Some k => Rabs (real (multiplier mv)) * real (tube_of (nth k (curves sg) (Polynomial [] (Num 0 0))))
  end.

Definition spin_of (q : quaternion) : step := Spin (real (qw q)) (real (qx q)) (real (qy q)) (real (qz q)).

(* The value that a move really has over u: of body i (from 1) and its k-th move. *)
Definition values := nat -> nat -> R -> R.

Definition no_turn : triple * quaternion :=
  let o := Num 0 0 in (Triple o o o, Quaternion o o o o).

Definition move_steps (sg : segment) (v : values) (i k : nat) (mv : move) : list step :=
  match kind_of mv with
  | Translation n => [Slide (point n) (poly (stated sg mv)) (tube sg mv) (v i k)]
  | Rotation n => [Turn (point n) (poly (stated sg mv)) (tube sg mv) (v i k)]
  | Turning t => let (n, q) := nth t (turns sg) no_turn in
      [Turn (point n) (poly (stated sg mv)) (tube sg mv) (v i k); spin_of q]
  end.

Fixpoint moves_steps sg v i k (l : list move) : list step :=
  match l with [] => [] | mv :: rest => move_steps sg v i k mv ++ moves_steps sg v i (S k) rest end.

Definition no_body := let o := Num 0 0 in Body 0 (Quaternion o o o o) (Triple o o o) [].
Definition body_at (s : statement) (i : nat) : body := nth (pred i) (bodies s) no_body.

(* X_world,body = X_world,parent * (shift, quaternion) * move_1 * move_2 * ... *)
Definition body_steps s sg v i : list step :=
  Shift (point (shifted (body_at s i))) :: spin_of (placed (body_at s i)) :: moves_steps sg v i 0 (moves (body_at s i)).

(* The bodies from the world (without it) to body i; parents have smaller numbers. *)
Fixpoint lineage (s : statement) (fuel i : nat) : list nat :=
  match fuel, i with
  | S f, S _ => lineage s f (parent (body_at s i)) ++ [i]
  | _, _ => []
  end.

Definition way s sg v i : list step := flat_map (body_steps s sg v) (lineage s i i).

(* Where a point of body i is in the world. *)
Definition place s sg v i u x : vec := actual (way s sg v i) u x.

Definition move_at (s : statement) i k : option move := nth_error (moves (body_at s i)) k.

(* The values differ from the stated ones by no more than the tubes. *)
Definition in_tubes (s : statement) (sg : segment) (v : values) : Prop :=
  forall i k mv u, move_at s i k = Some mv -> 0 <= u <= 1 -> Rabs (v i k u - value (stated sg mv) u) <= tube sg mv.

Definition apart_in s sg v (m : R) (i j : nat) (p q : primitive) (u : R) : Prop :=
  forall a b, in_primitive p a -> in_primitive q b -> m < norm (vsub (place s sg v i u a) (place s sg v j u b)).

(* (i) of verify.hpp: for every segment, every u, every pair, and all values within the tubes. *)
Definition all_apart (s : statement) : Prop :=
  forall sg, In sg (segments s) -> forall pr, In pr (pairs s) -> forall a b,
  nth_error (colliders s) (left_of pr) = Some a -> nth_error (colliders s) (right_of pr) = Some b ->
  forall v, in_tubes s sg v -> forall u, 0 <= u <= 1 -> forall p q, In p (primitives a) -> In q (primitives b) ->
  apart_in s sg v (real (margin_of pr)) (carrier a) (carrier b) p q u.

(* Every two colliders on different bodies are such a pair or are listed as excluded. *)
Definition all_listed (s : statement) : Prop :=
  forall i j a b, (i < j)%nat -> nth_error (colliders s) i = Some a -> nth_error (colliders s) j = Some b -> carrier a <> carrier b ->
  (exists pr, In pr (pairs s) /\ ((left_of pr = i /\ right_of pr = j) \/ (left_of pr = j /\ right_of pr = i))) \/
  In (i, j) (excluded s) \/ In (j, i) (excluded s).

(* ---- facts ------------------------------------------------------------------------------------------------------------ *)

Fixpoint strip (l k : list nat) : list nat * list nat :=
  match l, k with
  | x :: l', y :: k' => if Nat.eqb x y then strip l' k' else (l, k)
  | _, _ => (l, k)
  end.

Lemma strip_common : forall l k, exists common, l = common ++ fst (strip l k) /\ k = common ++ snd (strip l k).
Proof.
  induction l as [| x l IH]; intros [| y k]; try (exists []; split; reflexivity). simpl.
  destruct (Nat.eqb x y) eqn:E; [| exists []; split; reflexivity].
  apply Nat.eqb_eq in E. subst y. destruct (IH k) as (c & H1 & H2). exists (x :: c).
  simpl. rewrite <- H1, <- H2. split; reflexivity.
Qed.

Definition to_a s i j := fst (strip (lineage s i i) (lineage s j j)).
Definition to_b s i j := snd (strip (lineage s i i) (lineage s j j)).

(* A seen from B. *)
Definition between_bodies s sg v i j : list step :=
  way_back (flat_map (body_steps s sg v) (to_b s i j)) ++ flat_map (body_steps s sg v) (to_a s i j).

Theorem relative_distance : forall s sg v i j u a b,
  Forall (fun s => proper s u) (way s sg v i) -> Forall (fun s => proper s u) (way s sg v j) ->
  norm (vsub (place s sg v i u a) (place s sg v j u b)) = norm (vsub (actual (between_bodies s sg v i j) u a) b).
Proof.
  intros s sg v i j u a b Hi Hj. destruct (strip_common (lineage s i i) (lineage s j j)) as (c & H1 & H2).
  unfold place, way, between_bodies, to_a, to_b in *.
  destruct (strip (lineage s i i) (lineage s j j)) as [la lb]. simpl fst in *. simpl snd in *.
  rewrite H1 in Hi |- *. rewrite H2 in Hj |- *. rewrite flat_map_app in Hi, Hj. rewrite !flat_map_app.
  apply Forall_app in Hi. apply Forall_app in Hj. apply seen_from_b; tauto.
Qed.

(* With parents of smaller numbers, the way to a body is the way to its parent and its own steps: the recursion of FORMAT.md. *)
Definition parents_before (s : statement) : Prop := forall i, (0 < i)%nat -> (parent (body_at s i) < i)%nat.

Lemma lineage_enough : forall s, parents_before s -> forall f i, (i <= f)%nat -> lineage s f i = lineage s i i.
Proof.
  intros s H. assert (G : forall n f g i, (i <= n)%nat -> (i <= f)%nat -> (i <= g)%nat -> lineage s f i = lineage s g i).
  { induction n as [| n IH]; intros [| f] [| g] [| i] Hn Hf Hg; try reflexivity; try lia.
    simpl. specialize (H (S i) ltac:(lia)). f_equal. apply IH; lia. }
  intros f i Hf. apply (G i); lia.
Qed.

Theorem way_of_parent : forall s sg v i, parents_before s -> (0 < i)%nat ->
  way s sg v i = way s sg v (parent (body_at s i)) ++ body_steps s sg v i.
Proof.
  intros s sg v [| i] H Hi; [lia |]. unfold way. simpl lineage. rewrite flat_map_app. simpl flat_map at 2. rewrite app_nil_r.
  rewrite lineage_enough; [reflexivity | assumption |]. specialize (H (S i) Hi). lia.
Qed.
