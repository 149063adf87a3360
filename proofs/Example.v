(* A slider that passes a box, through the theorem from statement to distance: its hypotheses can be met, and what it says is not
   empty. And the same slider with the box in its way: the checker refuses, and rightly so. *)
From Coq Require Import Reals Lra Psatz ZArith Lia.
From Coquelicot Require Import Coquelicot.
From Coq Require Import List.
From PlannerCcd Require Import Vectors Taylor Moves Bounds Curves Leaf Tree Statement Intervals LeafCheck Volumes Checker.
Import ListNotations.
Open Scope R_scope.

(* ---- the stated values themselves are within the tubes ---------------------------------------------------------------------- *)

Definition as_stated (s : statement) (sg : segment) : values :=
  fun i k u => match move_at s i k with Some mv => value (stated sg mv) u | None => 0 end.

Lemma as_stated_in_tubes : forall s sg, (forall i k mv, move_at s i k = Some mv -> 0 <= tube sg mv) -> in_tubes s sg (as_stated s sg).
Proof.
  intros s sg H i k mv u E _. unfold as_stated. rewrite E. replace (_ - _) with 0 by ring. rewrite Rabs_R0. eapply H, E.
Qed.

(* ---- the slider --------------------------------------------------------------------------------------------------------------- *)

Definition n (k : Z) := Num k (-10).  (* in units of 2^-10 *)
Definition at_ (x y z : Z) := Triple (n x) (n y) (n z).
Definition upright := Quaternion (n 1024) (n 0) (n 0) (n 0).

(* Body 1 slides along x, from -1 to 1, with a tube of 1/512; body 2 turns on it about z, from 0 to 1. *)
Definition bodies_of_it := [
  Body 0 upright (at_ 0 0 0) [Move (Translation (at_ 3 0 0)) (Some 0%nat) (n 1024) (n 0)];
  Body 1 upright (at_ 0 0 0) [Move (Rotation (at_ 0 0 1)) (Some 1%nat) (n 1024) (n 0)]].

Definition run_of_it := Segment
  [Polynomial [n (-1024); n 2048] (n 2); Polynomial [n 0; n 1024] (n 0)] [].

Definition finger := Collider 2 [Triangle (at_ 0 0 0) (at_ 205 0 0) (at_ 0 0 102) (n 10)].
Definition cart := Collider 1 [Triangle (at_ (-100) (-300) (-100)) (at_ 100 (-300) (-100)) (at_ 0 (-300) 100) (n 0)].

(* A box from (-0.3, y, -0.3) to (0.3, y + 0.5, 0.3), as twelve triangles. *)
Definition box (y : Z) : list primitive :=
  let c i j k := at_ (307 * i) (y + 256 * (j + 1)) (307 * k) in
  let quad a b d e := [Triangle a b d (n 0); Triangle a d e (n 0)] in
  (quad (c (-1) (-1) (-1)) (c (-1) 1 (-1)) (c 1 1 (-1)) (c 1 (-1) (-1)) ++ quad (c (-1) (-1) 1) (c 1 (-1) 1) (c 1 1 1) (c (-1) 1 1) ++
  quad (c (-1) (-1) (-1)) (c 1 (-1) (-1)) (c 1 (-1) 1) (c (-1) (-1) 1) ++ quad (c (-1) 1 (-1)) (c (-1) 1 1) (c 1 1 1) (c 1 1 (-1)) ++
  quad (c (-1) (-1) (-1)) (c (-1) (-1) 1) (c (-1) 1 1) (c (-1) 1 (-1)) ++ quad (c 1 (-1) (-1)) (c 1 1 (-1)) (c 1 1 1) (c 1 (-1) 1))%Z.

Definition slider (y : Z) := Statement bodies_of_it [finger; cart; Collider 0 (box y)]
  [Pair 0 2 (n 51); Pair 1 2 (n 51)] [(0, 1)%nat] [run_of_it].

(* Of the box: a parallelogram through its middle with a radius that holds it, split into its first two triangles (the bottom) and
   the rest. *)
Definition volumes_of_it (y : Z) : list vtree := [
  VLeaf Itself [Triangle (at_ 0 0 0) (at_ 205 0 0) (at_ 0 0 102) (n 10)];
  VLeaf (Edges (at_ (-100) (-300) (-100)) [at_ 200 0 0; at_ 0 0 200] (n 1)) (primitives cart);
  VSplit (Edges (at_ (-307) (y + 256) (-307)) [at_ 614 0 0; at_ 0 0 614] (n 257))
    (VLeaf (Edges (at_ (-307) y (-307)) [at_ 614 0 0; at_ 0 512 0] (n 1)) (firstn 2 (box y)))
    (VLeaf (Edges (at_ (-307) (y + 256) (-307)) [at_ 614 0 0; at_ 0 0 614] (n 257)) (skipn 2 (box y)))].

(* The finger: time split once, then the box split in the later half. The cart: the world's boxes. *)
Definition proof_of_it : list (list ptree) :=
  let leaf := PDirection (at_ 0 1024 0) in
  [[PSplitTime (PSplitTime leaf leaf) (PSplitB (PSplitTime leaf leaf) (PSplitTime leaf leaf)); PBoxes]].

Definition certificate_of_it (y : Z) := Certificate (volumes_of_it y) proof_of_it.

Lemma slider_accepted : check (slider 307) (certificate_of_it 307) = true.
Proof. vm_compute. reflexivity. Qed.

Theorem slider_passes : all_apart (slider 307).
Proof. exact (accepted_is_apart _ _ slider_accepted). Qed.

Ltac numbers := unfold real, n; cbn [mant expo]; simpl powerRZ; lra.

Lemma tubes_of_it : forall y i k mv, move_at (slider y) i k = Some mv -> 0 <= tube run_of_it mv.
Proof.
  intros y i k mv E. unfold move_at, body_at in E.
  destruct i as [| [| [| i]]]; simpl in E; (destruct k as [| k]; simpl in E; [| destruct k; discriminate || (destruct i; discriminate)]);
    try (injection E as <-; unfold tube; simpl; apply Rmult_le_pos; [apply Rabs_pos | numbers]).
  destruct i; discriminate.
Qed.

(* The corner of the finger that it turns about is at (-1 + 2 u, 0, 0). *)
Lemma finger_at : forall y u, place (slider y) run_of_it (as_stated (slider y) run_of_it) 2 u (point (at_ 0 0 0)) = V3 (-1 + 2 * u) 0 0.
Proof.
  intros y u. unfold place, way; simpl. unfold as_stated; simpl. unfold turn, slide, spin, rot, unit, move_at; simpl.
  assert (N : norm (point (at_ 3 0 0)) = 3 / 1024).
  { unfold norm, dot, point, at_; simpl. replace (_ + _ + _) with (3 / 1024 * (3 / 1024)) by numbers. apply sqrt_square. lra. }
  assert (M : norm (point (at_ 0 0 1)) = 1 / 1024).
  { unfold norm, dot, point, at_; simpl. replace (_ + _ + _) with (1 / 1024 * (1 / 1024)) by numbers. apply sqrt_square. lra. }
  rewrite N, M. apply vec_eq; simpl; unfold real, n; simpl; field.
Qed.

Lemma point_of_hull : forall p l r, In p l -> 0 <= real r -> exists y, hull l y /\ norm (vsub p y) <= real r.
Proof.
  intros p l r H Hr. exists p. split; [apply hull_point, H |]. replace (vsub p p) with vzero by vring. rewrite norm_zero. exact Hr.
Qed.

(* In numbers: that corner is never within 51/1024 of the box's corner (-0.3, 0.3, -0.3). *)
Corollary finger_in_numbers : forall u, 0 <= u <= 1 ->
  51 / 1024 < norm (vsub (V3 (-1 + 2 * u) 0 0) (V3 (-307 / 1024) (307 / 1024) (-307 / 1024))).
Proof.
  intros u Hu.
  pose proof (slider_passes run_of_it ltac:(left; reflexivity) (Pair 0 2 (n 51)) ltac:(left; reflexivity) finger (Collider 0 (box 307))
    eq_refl eq_refl (as_stated (slider 307) run_of_it) (as_stated_in_tubes _ _ (tubes_of_it 307)) u Hu) as H.
  specialize (H (Triangle (at_ 0 0 0) (at_ 205 0 0) (at_ 0 0 102) (n 10))
    (Triangle (at_ (-307) 307 (-307)) (at_ (-307) 819 (-307)) (at_ 307 819 (-307)) (n 0))
    ltac:(left; reflexivity) ltac:(left; reflexivity) (point (at_ 0 0 0)) (point (at_ (-307) 307 (-307)))
    ltac:(apply point_of_hull; [left; reflexivity | numbers]) ltac:(apply point_of_hull; [left; reflexivity | numbers])).
  simpl carrier in H. rewrite finger_at in H.
  replace (real (margin_of (Pair 0 2 (n 51)))) with (51 / 1024) in H by (simpl margin_of; numbers).
  eapply Rlt_le_trans; [exact H |]. right. do 2 f_equal. apply vec_eq; simpl; numbers.
Qed.

(* ---- the box in the way --------------------------------------------------------------------------------------------------------- *)

Lemma blocked_refused : check (slider 0) (certificate_of_it 0) = false.
Proof. vm_compute. reflexivity. Qed.

(* The refusal is right: at u = 1/2 the finger's corner is in the middle of a side of the box. *)
Theorem blocked_meets : ~ all_apart (slider 0).
Proof.
  intros A. assert (Hu : 0 <= 1 / 2 <= 1) by lra.
  pose proof (A run_of_it ltac:(left; reflexivity) (Pair 0 2 (n 51)) ltac:(left; reflexivity) finger (Collider 0 (box 0))
    eq_refl eq_refl (as_stated (slider 0) run_of_it) (as_stated_in_tubes _ _ (tubes_of_it 0)) (1 / 2) Hu) as H.
  specialize (H (Triangle (at_ 0 0 0) (at_ 205 0 0) (at_ 0 0 102) (n 10))
    (Triangle (at_ (-307) 0 (-307)) (at_ 307 0 (-307)) (at_ 307 0 307) (n 0))
    ltac:(left; reflexivity) ltac:(do 4 right; left; reflexivity) (point (at_ 0 0 0)) vzero
    ltac:(apply point_of_hull; [left; reflexivity | numbers])).
  assert (D : in_primitive (Triangle (at_ (-307) 0 (-307)) (at_ 307 0 (-307)) (at_ 307 0 307) (n 0)) vzero).
  { exists (mix (1 / 2) (point (at_ (-307) 0 (-307))) (point (at_ 307 0 307))). split.
    - apply hull_mix; [lra | |]; apply hull_point; simpl; auto.
    - replace (vsub _ _) with vzero by (apply vec_eq; simpl; numbers). rewrite norm_zero. numbers. }
  specialize (H D). simpl carrier in H. rewrite finger_at in H.
  replace (place (slider 0) run_of_it (as_stated (slider 0) run_of_it) 0 (1 / 2) vzero) with vzero in H by reflexivity.
  replace (vsub _ _) with vzero in H by (apply vec_eq; simpl; field).
  rewrite norm_zero in H. apply Rlt_not_le in H. apply H. simpl margin_of. numbers.
Qed.
