(* The checker, and the theorem about it: what it accepts is apart (FORMAT.md, Proofs; verify.hpp, (i)). *)
From Coq Require Import Reals Lra Psatz ZArith Lia.
From Coquelicot Require Import Coquelicot.
From Coq Require Import List Bool.
From PlannerCcd Require Import Vectors Taylor Moves Bounds Curves Leaf Tree Statement Intervals LeafCheck Volumes.
Import ListNotations.
Open Scope R_scope.

(* ---- proofs ----------------------------------------------------------------------------------------------------------------- *)

(* FORMAT.md, Proofs: 0 and 1, 5, 2, 3, 4. *)
Inductive ptree :=
| PDirection (n : triple)
| PBoxes
| PSplitA (l r : ptree)
| PSplitB (l r : ptree)
| PSplitTime (l r : ptree).

(* Times in units of 2^-31. *)
Definition half_times := 31%Z.
Definition time (t : Z) : R := real (Num t (- half_times)).
Definition middle (t0 t1 : Z) : number := Num (t0 + t1) (- (half_times + 1)).
Definition half (t0 t1 : Z) : number := Num (t1 - t0) (- (half_times + 1)).

Lemma two_step : forall k : Z, powerRZ 2 (- (k + 1)) * 2 = powerRZ 2 (- k).
Proof.
  intros. replace (- k)%Z with (- (k + 1) + 1)%Z by lia. rewrite (powerRZ_add 2 (- (k + 1))) by lra. simpl. ring.
Qed.

Lemma time_begin : forall t0 t1, time t0 = real (middle t0 t1) - real (half t0 t1).
Proof.
  intros. unfold time, real, middle, half; cbn [mant expo]. rewrite <- (two_step half_times), plus_IZR, minus_IZR. ring.
Qed.

Lemma time_end : forall t0 t1, time t1 = real (middle t0 t1) + real (half t0 t1).
Proof.
  intros. unfold time, real, middle, half; cbn [mant expo]. rewrite <- (two_step half_times), plus_IZR, minus_IZR. ring.
Qed.

Lemma time_le : forall a b, (a <= b)%Z -> time a <= time b.
Proof.
  intros. unfold time, real; cbn [mant expo]. apply Rmult_le_compat_r; [left; apply powerRZ_lt; lra | apply IZR_le; assumption].
Qed.

Lemma time_0 : time 0 = 0.
Proof. unfold time, real; cbn [mant expo]. ring. Qed.

Lemma time_1 : time (2 ^ half_times) = 1.
Proof.
  unfold time, real, half_times; cbn [mant expo]. change (powerRZ 2 (- (31))) with (/ 2 ^ 31).
  replace (IZR (2 ^ 31)) with (2 ^ 31) by (simpl; lra). apply Rinv_r. apply pow_nonzero. lra.
Qed.

(* ---- chains in intervals ---------------------------------------------------------------------------------------------------- *)

Definition ibody_steps (s : statement) sg im ih i : list istep :=
  IShift (ipoint (shifted (body_at s i))) :: ispin_of (placed (body_at s i)) ::
  flat_map (imove_steps sg im ih) (moves (body_at s i)).

Definition iway s sg im ih l := flat_map (ibody_steps s sg im ih) l.

Definition ibetween s sg im ih i j := rev (map iback (iway s sg im ih (to_b s i j))) ++ iway s sg im ih (to_a s i j).

Section Chains.
  Variables (s : statement) (sg : segment) (v : values) (im ih : I.type) (m h : R).
  Hypothesis Hm : has im m.
  Hypothesis Hh : has ih h.

  Lemma good_body : forall i, Forall2 (good m h) (ibody_steps s sg im ih i) (body_steps s sg v i).
  Proof.
    intros i. unfold ibody_steps, body_steps. constructor; [| constructor; [apply good_spin |]].
    - exists (Rates 0 0 0 0). split; [apply has_point | intros; exact Logic.I].
    - generalize (moves (body_at s i)), 0%nat. induction l as [| mv l IH]; intros k; simpl; [constructor |].
      apply Forall2_app; [apply good_move; assumption | apply IH].
  Qed.

  Lemma good_way : forall l, Forall2 (good m h) (iway s sg im ih l) (flat_map (body_steps s sg v) l).
  Proof. induction l as [| i l IH]; [constructor |]. exact (Forall2_app (good_body i) IH). Qed.

  Lemma good_way_back : forall il sl, Forall2 (good m h) il sl -> Forall2 (good m h) (rev (map iback il)) (way_back sl).
  Proof.
    intros il sl H. unfold way_back. induction H as [| x y il sl Hx _ IH]; simpl; [constructor |].
    apply Forall2_app; [assumption | constructor; [apply good_back; assumption | constructor]].
  Qed.

  Lemma good_between : forall i j, Forall2 (good m h) (ibetween s sg im ih i j) (between_bodies s sg v i j).
  Proof. intros. apply Forall2_app; [apply good_way_back |]; apply good_way. Qed.
End Chains.

(* ---- axes and quaternions are not zero ----------------------------------------------------------------------------------------- *)

Definition axis_sound n := positive (idot (ipoint n) (ipoint n)).
Definition quaternion_sound q := positive (itwo_sum (inumber (qw q)) (inumber (qx q)) (inumber (qy q)) (inumber (qz q))).
Definition move_sound sg mv :=
  match kind_of mv with
  | Translation n | Rotation n => axis_sound n
  | Turning t => let (n, q) := nth t (turns sg) no_turn in axis_sound n && quaternion_sound q
  end.
Definition body_sound s sg i := quaternion_sound (placed (body_at s i)) && forallb (move_sound sg) (moves (body_at s i)).
Definition way_sound s sg i := forallb (body_sound s sg) (lineage s i i).

Lemma axis_sound_correct : forall n, axis_sound n = true -> dot (point n) (point n) <> 0.
Proof.
  intros n H. eapply positive_correct in H; [| apply has_dot; apply has_point]. lra.
Qed.

Lemma quaternion_sound_correct : forall q t, quaternion_sound q = true -> proper (spin_of q) t.
Proof.
  intros q t H. unfold quaternion_sound, itwo_sum in H. simpl.
  eapply positive_correct in H; [| repeat apply has_add; apply has_mul; apply has_number]. lra.
Qed.

Lemma moves_proper : forall sg v i t l k, forallb (move_sound sg) l = true ->
  (forall n mv, nth_error l n = Some mv -> Rabs (v i (k + n)%nat t - value (stated sg mv) t) <= tube sg mv) ->
  Forall (fun s => proper s t) (moves_steps sg v i k l).
Proof.
  induction l as [| mv l IH]; intros k H Hv; simpl; [constructor |]. simpl in H. apply andb_prop in H. destruct H as [H1 H2].
  apply Forall_app. split.
  - pose proof (Hv 0%nat mv eq_refl) as V. rewrite Nat.add_0_r in V. unfold move_sound in H1. unfold move_steps.
    destruct (kind_of mv) as [n | n | u]; [| | destruct (nth u (turns sg) no_turn) as [n q]; apply andb_prop in H1; destruct H1 as [H1 H3]].
    + constructor; [split; [apply axis_sound_correct; assumption | exact V] | constructor].
    + constructor; [split; [apply axis_sound_correct; assumption | exact V] | constructor].
    + constructor; [split; [apply axis_sound_correct; assumption | exact V] |].
      constructor; [apply quaternion_sound_correct; assumption | constructor].
  - apply IH; [assumption |]. intros n mv' E. replace (S k + n)%nat with (k + S n)%nat by lia. apply Hv, E.
Qed.

Lemma way_proper : forall s sg v i t, way_sound s sg i = true -> in_tubes s sg v -> 0 <= t <= 1 ->
  Forall (fun s => proper s t) (way s sg v i).
Proof.
  intros s sg v i t H Hv Ht. unfold way, way_sound in *. induction (lineage s i i) as [| k l IH]; simpl in *; [constructor |].
  apply andb_prop in H. destruct H as [H1 H2].
  change (Forall (fun s => proper s t) (body_steps s sg v k ++ flat_map (body_steps s sg v) l)).
  apply Forall_app. split; [| apply IH, H2].
  unfold body_sound in H1. apply andb_prop in H1. destruct H1 as [Q M].
  constructor; [exact Logic.I |]. constructor; [apply quaternion_sound_correct; assumption |].
  apply moves_proper; [assumption |]. intros n mv E. apply Hv; assumption.
Qed.

Lemma between_proper : forall s sg v i j t, Forall (fun s => proper s t) (way s sg v i) -> Forall (fun s => proper s t) (way s sg v j) ->
  Forall (fun s => proper s t) (between_bodies s sg v i j).
Proof.
  intros s sg v i j t Hi Hj. destruct (strip_common (lineage s i i) (lineage s j j)) as (c & H1 & H2).
  unfold way, between_bodies, to_a, to_b in *.
  destruct (strip (lineage s i i) (lineage s j j)) as [la lb]. simpl fst in *. simpl snd in *.
  rewrite H1 in Hi. rewrite H2 in Hj. rewrite flat_map_app in Hi, Hj. apply Forall_app in Hi, Hj.
  apply Forall_app. split; [apply way_back_proper |]; tauto.
Qed.

(* ---- one pair ------------------------------------------------------------------------------------------------------------------ *)

Definition along (x y z : Z) := IV (iint x) (iint y) (iint z).
Definition axes := [along 1 0 0; along (-1) 0 0; along 0 1 0; along 0 (-1) 0; along 0 0 1; along 0 0 (-1)].

Section Pair.
  Variables (s : statement) (sg : segment) (i j : nat) (margin : number).

  (* (L): seen from B, by (a) or by (b). *)
  Definition direction_holds (n : triple) (va vb : ivolume) (t0 t1 : Z) : bool :=
    let im := inumber (middle t0 t1) in let ih := inumber (half t0 t1) in
    let ca := icorners (ibetween s sg im ih i j) (icorner va) in
    let cb := icorners [] (icorner vb) in
    ileaf false ca cb va vb (ipoint n) (inumber margin) ih || ileaf true ca cb va vb (ipoint n) (inumber margin) ih.

  (* (W): seen from the world, along one of its axes. *)
  Definition boxes_hold (va vb : ivolume) (t0 t1 : Z) : bool :=
    let im := inumber (middle t0 t1) in let ih := inumber (half t0 t1) in
    let ca := icorners (iway s sg im ih (lineage s i i)) (icorner va) in
    let cb := icorners (iway s sg im ih (lineage s j j)) (icorner vb) in
    existsb (fun n => ileaf false ca cb va vb n (inumber margin) ih) axes.

  Fixpoint tree_holds (p : ptree) (a b : node) (t0 t1 : Z) : bool :=
    match p with
    | PDirection n => ok_of a && ok_of b && (t0 <=? t1)%Z && direction_holds n (volume_of a) (volume_of b) t0 t1
    | PBoxes => ok_of a && ok_of b && (t0 <=? t1)%Z && boxes_hold (volume_of a) (volume_of b) t0 t1
    | PSplitA l r => match a with NSplit _ _ a1 a2 => tree_holds l a1 b t0 t1 && tree_holds r a2 b t0 t1 | _ => false end
    | PSplitB l r => match b with NSplit _ _ b1 b2 => tree_holds l a b1 t0 t1 && tree_holds r a b2 t0 t1 | _ => false end
    | PSplitTime l r => let tm := ((t0 + t1) / 2)%Z in
        (t0 <=? tm)%Z && (tm <=? t1)%Z && tree_holds l a b t0 tm && tree_holds r a b tm t1
    end.

  Variable v : values.

  (* What a leaf of the accepted tree is known to be. *)
  Definition certified (ps qs : list primitive) (t0 t1 : R) : Prop :=
    exists la lb va vb n m h,
      t0 = m - h /\ t1 = m + h /\ leaf_holds la lb va vb n (real margin) m h /\ holds_over la m h /\ holds_over lb m h /\
      (forall p x, In p ps -> in_primitive p x -> inside va x) /\ (forall q x, In q qs -> in_primitive q x -> inside vb x) /\
      (forall t a b, t0 <= t <= t1 ->
        norm (vsub (place s sg v i t a) (place s sg v j t b)) = norm (vsub (actual (map fst la) t a) (actual (map fst lb) t b))).

  Theorem certified_apart : forall ps qs t0 t1, certified ps qs t0 t1 ->
    forall p q t, In p ps -> In q qs -> t0 <= t <= t1 -> apart_in s sg v (real margin) i j p q t.
  Proof.
    intros ps qs t0 t1 (la & lb & va & vb & n & m & h & -> & -> & L & Ha & Hb & Ia & Ib & D) p q t Hp Hq Ht a b Hina Hinb.
    rewrite D by assumption. eapply leaf_apart; eauto.
  Qed.

  Hypothesis Hi : way_sound s sg i = true.
  Hypothesis Hj : way_sound s sg j = true.
  Hypothesis Hv : in_tubes s sg v.

  Lemma leaf_certified : forall third n rn ila sla ilb slb a b t0 t1,
    let m := real (middle t0 t1) in let h := real (half t0 t1) in
    (0 <= t0 <= t1)%Z -> (t1 <= 2 ^ half_times)%Z ->
    Forall2 (good m h) ila sla -> Forall2 (good m h) ilb slb ->
    (forall t, 0 <= t <= 1 -> Forall (fun s => proper s t) sla /\ Forall (fun s => proper s t) slb) ->
    (forall t x y, 0 <= t <= 1 ->
      norm (vsub (place s sg v i t x) (place s sg v j t y)) = norm (vsub (actual sla t x) (actual slb t y))) ->
    sound_node a -> sound_node b -> ok_of a = true -> ok_of b = true -> has_v n rn ->
    ileaf third (icorners ila (icorner (volume_of a))) (icorners ilb (icorner (volume_of b))) (volume_of a) (volume_of b) n
      (inumber margin) (inumber (half t0 t1)) = true ->
    certified (all_of a) (all_of b) (time t0) (time t1).
  Proof.
    intros third n rn ila sla ilb slb a b t0 t1 m h H0 H1 Ga Gb Hp Hd Sa Sb Oa Ob Hn H.
    assert (T : forall t, m - h <= t <= m + h -> 0 <= t <= 1).
    { unfold m, h. intros t. rewrite <- time_begin, <- time_end. intros Ht.
      pose proof (time_le 0 t0 ltac:(lia)) as A. pose proof (time_le t1 _ H1) as B. rewrite time_0 in A. rewrite time_1 in B. lra. }
    assert (Hh : 0 <= h).
    { pose proof (time_le t0 t1 ltac:(lia)) as A. rewrite (time_begin t0 t1), (time_end t0 t1) in A. unfold h. lra. }
    destruct (good_rates _ _ _ _ Ga) as (la & Ea & La & Wa). destruct (good_rates _ _ _ _ Gb) as (lb & Eb & Lb & Wb).
    assert (Ca : covers (volume_of a) (all_of a)) by (destruct a; apply Sa, Oa).
    assert (Cb : covers (volume_of b) (all_of b)) by (destruct b; apply Sb, Ob).
    destruct Ca as (va & Va & Ia). destruct Cb as (vb & Vb & Ib).
    exists la, lb, va, vb, rn, m, h. rewrite (time_begin t0 t1), (time_end t0 t1). fold m. fold h.
    split; [reflexivity |]. split; [reflexivity |]. split.
    { eapply ileaf_correct; try eassumption; try apply has_number. }
    split. { eapply rates_over; [exact Ea | | exact Wa]. intros t Ht. apply Hp, T, Ht. }
    split. { eapply rates_over; [exact Eb | | exact Wb]. intros t Ht. apply Hp, T, Ht. }
    split; [exact Ia |]. split; [exact Ib |].
    intros t x y Ht. rewrite Ea, Eb. apply Hd, T, Ht.
  Qed.

  Theorem tree_holds_correct : forall p a b t0 t1, tree_holds p a b t0 t1 = true -> sound_node a -> sound_node b ->
    (0 <= t0)%Z -> (t1 <= 2 ^ half_times)%Z -> proved primitive certified (all_of a) (all_of b) (time t0) (time t1).
  Proof.
    assert (P : forall t, 0 <= t <= 1 -> Forall (fun s => proper s t) (way s sg v i) /\ Forall (fun s => proper s t) (way s sg v j)).
    { intros. split; apply way_proper; assumption. }
    induction p as [n | | l IHl r IHr | l IHl r IHr | l IHl r IHr]; intros a b t0 t1 H Sa Sb H0 H1; simpl in H.
    - apply andb_prop in H. destruct H as [H D]. apply andb_prop in H. destruct H as [H T]. apply andb_prop in H. destruct H as [Oa Ob].
      apply Z.leb_le in T. apply proved_leaf. apply orb_prop in D.
      assert (G : forall third, ileaf third
          (icorners (ibetween s sg (inumber (middle t0 t1)) (inumber (half t0 t1)) i j) (icorner (volume_of a)))
          (icorners [] (icorner (volume_of b))) (volume_of a) (volume_of b) (ipoint n) (inumber margin) (inumber (half t0 t1)) = true ->
          certified (all_of a) (all_of b) (time t0) (time t1)).
      { intros third E. eapply leaf_certified with (sla := between_bodies s sg v i j) (slb := []);
          try eassumption; try apply has_point; try lia.
        - apply good_between; apply has_number.
        - constructor.
        - intros t Ht. destruct (P t Ht). split; [apply between_proper; assumption | constructor].
        - intros t x y Ht. destruct (P t Ht). apply relative_distance; assumption. }
      destruct D as [D | D]; eapply G; exact D.
    - apply andb_prop in H. destruct H as [H D]. apply andb_prop in H. destruct H as [H T]. apply andb_prop in H. destruct H as [Oa Ob].
      apply Z.leb_le in T. apply proved_leaf. apply existsb_exists in D. destruct D as (n & Hn & D).
      assert (exists rn, has_v n rn) as (rn & Hrn).
      { unfold axes, along in Hn. simpl in Hn.
        repeat destruct Hn as [<- | Hn]; try contradiction; eexists (V3 _ _ _); (split; [| split]; apply has_int). }
      eapply leaf_certified with (sla := way s sg v i) (slb := way s sg v j); try eassumption; try lia.
      + apply good_way; apply has_number.
      + apply good_way; apply has_number.
      + intros t x y Ht. reflexivity.
    - destruct a as [ok w ps | ok w a1 a2]; [discriminate |]. apply andb_prop in H. destruct H as [L R].
      destruct Sa as (_ & S1 & S2). simpl all_of. apply proved_split_a; auto.
    - destruct b as [ok w ps | ok w b1 b2]; [discriminate |]. apply andb_prop in H. destruct H as [L R].
      destruct Sb as (_ & S1 & S2). simpl all_of. apply proved_split_b; auto.
    - apply andb_prop in H. destruct H as [H R]. apply andb_prop in H. destruct H as [H L]. apply andb_prop in H. destruct H as [T0 T1].
      apply Z.leb_le in T0, T1. apply proved_split_time with (time ((t0 + t1) / 2)); [apply IHl | apply IHr]; auto; lia.
  Qed.
End Pair.

(* ---- the certificate ------------------------------------------------------------------------------------------------------------ *)

(* Volumes for each collider; for each segment and each pair, in their order, a tree. *)
Record certificate := Certificate { volumes : list vtree; proofs : list (list ptree) }.

Definition number_eq_dec : forall a b : number, {a = b} + {a <> b}.
Proof. decide equality; apply Z.eq_dec. Defined.
Definition triple_eq_dec : forall a b : triple, {a = b} + {a <> b}.
Proof. decide equality; apply number_eq_dec. Defined.
Definition primitive_eq_dec : forall a b : primitive, {a = b} + {a <> b}.
Proof. decide equality; try apply number_eq_dec; apply triple_eq_dec. Defined.
Definition primitives_eq_dec := list_eq_dec primitive_eq_dec.

Definition no_node := NLeaf false no_volume [].

(* Each collider's volumes have its primitives, in their order. *)
Fixpoint nodes_fit (cs : list collider) (ns : list node) : bool :=
  match cs, ns with
  | [], [] => true
  | c :: cs', n :: ns' => (if primitives_eq_dec (all_of n) (primitives c) then true else false) && nodes_fit cs' ns'
  | _, _ => false
  end.

Definition pair_holds s sg (ns : list node) (pr : pair) (p : ptree) : bool :=
  match nth_error (colliders s) (left_of pr), nth_error (colliders s) (right_of pr) with
  | Some a, Some b =>
    way_sound s sg (carrier a) && way_sound s sg (carrier b) &&
    tree_holds s sg (carrier a) (carrier b) (margin_of pr) p (nth (left_of pr) ns no_node) (nth (right_of pr) ns no_node) 0 (2 ^ half_times)
  | _, _ => false
  end.

Fixpoint all_hold {A B} (f : A -> B -> bool) (l : list A) (k : list B) : bool :=
  match l, k with
  | [], [] => true
  | a :: l', b :: k' => f a b && all_hold f l' k'
  | _, _ => false
  end.

Definition is_listed (s : statement) (i j : nat) : bool :=
  existsb (fun pr => (Nat.eqb (left_of pr) i && Nat.eqb (right_of pr) j) || (Nat.eqb (left_of pr) j && Nat.eqb (right_of pr) i)) (pairs s) ||
  existsb (fun e => (Nat.eqb (fst e) i && Nat.eqb (snd e) j) || (Nat.eqb (fst e) j && Nat.eqb (snd e) i)) (excluded s).

Fixpoint rest_listed (s : statement) (i : nat) (a : collider) (j : nat) (l : list collider) : bool :=
  match l with
  | [] => true
  | b :: rest => (Nat.eqb (carrier a) (carrier b) || is_listed s i j) && rest_listed s i a (S j) rest
  end.

Fixpoint pairs_listed (s : statement) (i : nat) (l : list collider) : bool :=
  match l with [] => true | a :: rest => rest_listed s i a (S i) rest && pairs_listed s (S i) rest end.

(* Indices that mean something; a body's parent has a smaller number. *)
Definition curve_known sg mv := match on mv with None => true | Some k => Nat.ltb k (length (curves sg)) end.
Definition turn_known sg mv := match kind_of mv with Turning t => Nat.ltb t (length (turns sg)) | _ => true end.
Fixpoint bodies_known (s : statement) (i : nat) (l : list body) : bool :=
  match l with
  | [] => true
  | b :: rest => Nat.ltb (parent b) i && forallb (fun sg => forallb (fun mv => curve_known sg mv && turn_known sg mv) (moves b)) (segments s) &&
      bodies_known s (S i) rest
  end.
Definition well_formed s := bodies_known s 1 (bodies s) && forallb (fun c => Nat.leb (carrier c) (length (bodies s))) (colliders s).

Definition check (s : statement) (c : certificate) : bool :=
  let ns := map look_all (volumes c) in
  well_formed s && pairs_listed s 0 (colliders s) && nodes_fit (colliders s) ns &&
  all_hold (fun sg ps => all_hold (pair_holds s sg ns) (pairs s) ps) (segments s) (proofs c).

Lemma all_hold_in : forall A B (f : A -> B -> bool) l k a, all_hold f l k = true -> In a l -> exists b, f a b = true.
Proof.
  induction l as [| x l IH]; intros [| y k] a H Ha; simpl in *; try discriminate; try contradiction.
  apply andb_prop in H. destruct H as [H1 H2]. destruct Ha as [-> | Ha]; [exists y; assumption | eapply IH; eassumption].
Qed.

Lemma nodes_fit_nth : forall cs ns k c, nodes_fit cs ns = true -> nth_error cs k = Some c -> all_of (nth k ns no_node) = primitives c.
Proof.
  induction cs as [| x cs IH]; intros [| n ns] [| k] c H E; simpl in *; try discriminate; apply andb_prop in H; destruct H as [H1 H2].
  - injection E as <-. destruct (primitives_eq_dec (all_of n) (primitives x)); [assumption | discriminate].
  - eapply IH; eassumption.
Qed.

Lemma nodes_sound : forall l k, sound_node (nth k (map look_all l) no_node).
Proof.
  induction l as [| t l IH]; intros [| k]; simpl; try apply look_all_sound; try apply IH; (split; [discriminate | exact Logic.I]).
Qed.

(* THE THEOREM. *)
Theorem accepted_is_apart : forall s c, check s c = true -> all_apart s.
Proof.
  intros s c H. unfold check in H. apply andb_prop in H. destruct H as [H P]. apply andb_prop in H. destruct H as [_ N].
  intros sg Hsg pr Hpr a b Ea Eb v Hv u Hu p q Hp Hq.
  destruct (all_hold_in _ _ _ _ _ _ P Hsg) as (ps & Hps).
  destruct (all_hold_in _ _ _ _ _ _ Hps Hpr) as (t & Ht).
  unfold pair_holds in Ht. rewrite Ea, Eb in Ht. apply andb_prop in Ht. destruct Ht as [Ht T]. apply andb_prop in Ht. destruct Ht as [Wa Wb].
  eapply tree_holds_correct in T; try eassumption; try apply nodes_sound; try lia.
  rewrite (nodes_fit_nth _ _ _ _ N Ea), (nodes_fit_nth _ _ _ _ N Eb), time_0, time_1 in T.
  eapply (tree_covers _ _ (apart_in s sg v (real (margin_of pr)) (carrier a) (carrier b))); [| exact T | | |]; try assumption.
  apply certified_apart.
Qed.

Lemma is_listed_correct : forall s i j, is_listed s i j = true ->
  (exists pr, In pr (pairs s) /\ ((left_of pr = i /\ right_of pr = j) \/ (left_of pr = j /\ right_of pr = i))) \/
  In (i, j) (excluded s) \/ In (j, i) (excluded s).
Proof.
  intros s i j H. apply orb_prop in H. destruct H as [H | H]; apply existsb_exists in H.
  - destruct H as (pr & Hin & H). left. exists pr. split; [assumption |].
    apply orb_prop in H. destruct H as [H | H]; apply andb_prop in H; destruct H as [A B]; apply Nat.eqb_eq in A, B; auto.
  - destruct H as ([x y] & Hin & H). right. simpl in H.
    apply orb_prop in H. destruct H as [H | H]; apply andb_prop in H; destruct H as [A B]; apply Nat.eqb_eq in A, B; subst; auto.
Qed.

Lemma rest_listed_correct : forall s i a l j k b, rest_listed s i a j l = true -> nth_error l k = Some b -> carrier a <> carrier b ->
  is_listed s i (j + k) = true.
Proof.
  induction l as [| x l IH]; intros j [| k] b H E N; simpl in *; try discriminate; apply andb_prop in H; destruct H as [H1 H2].
  - injection E as ->. rewrite Nat.add_0_r. apply orb_prop in H1. destruct H1 as [H1 | H1]; [| assumption].
    apply Nat.eqb_eq in H1. contradiction.
  - replace (j + S k)%nat with (S j + k)%nat by lia. eapply IH; eassumption.
Qed.

Lemma pairs_listed_correct : forall s l o i j a b, pairs_listed s o l = true -> (i < j)%nat -> nth_error l i = Some a ->
  nth_error l j = Some b -> carrier a <> carrier b -> is_listed s (o + i) (o + j) = true.
Proof.
  induction l as [| x l IH]; intros o i j a b H Hij Ea Eb N; [destruct i; discriminate |].
  simpl in H. apply andb_prop in H. destruct H as [H1 H2]. destruct j as [| j]; [lia |]. simpl in Eb. destruct i as [| i]; simpl in Ea.
  - injection Ea as ->. replace (o + 0)%nat with o by lia. replace (o + S j)%nat with (S o + j)%nat by lia.
    eapply rest_listed_correct; eassumption.
  - replace (o + S i)%nat with (S o + i)%nat by lia. replace (o + S j)%nat with (S o + j)%nat by lia.
    eapply IH; try eassumption. lia.
Qed.

Theorem accepted_is_listed : forall s c, check s c = true -> all_listed s.
Proof.
  intros s c H. unfold check in H. apply andb_prop in H. destruct H as [H _]. apply andb_prop in H. destruct H as [H _].
  apply andb_prop in H. destruct H as [_ L]. intros i j a b Hij Ea Eb N. apply is_listed_correct.
  exact (pairs_listed_correct s _ 0 i j a b L Hij Ea Eb N).
Qed.

Lemma bodies_known_correct : forall s l k i b, bodies_known s k l = true -> nth_error l i = Some b -> (parent b < k + i)%nat.
Proof.
  induction l as [| x l IH]; intros k [| i] b H E; simpl in *; try discriminate; apply andb_prop in H; destruct H as [H1 H2].
  - injection E as ->. apply andb_prop in H1. destruct H1 as [H1 _]. apply Nat.ltb_lt in H1. lia.
  - specialize (IH _ _ _ H2 E). lia.
Qed.

(* So the way to a body is FORMAT.md's recursion (way_of_parent). *)
Theorem accepted_has_parents_before : forall s c, check s c = true -> parents_before s.
Proof.
  intros s c H. unfold check in H. do 3 (apply andb_prop in H; destruct H as [H _]). unfold well_formed in H.
  apply andb_prop in H. destruct H as [H _]. intros i Hi. unfold body_at.
  destruct (nth_error (bodies s) (pred i)) as [b |] eqn:E.
  - rewrite (nth_error_nth _ _ _ E). pose proof (bodies_known_correct _ _ _ _ _ H E). lia.
  - rewrite nth_overflow by (apply nth_error_None; assumption). simpl. lia.
Qed.
