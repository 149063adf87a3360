(* A leaf computed in intervals, and that it holds when the computation says so. *)
From Coq Require Import Reals Lra Psatz ZArith.
From Coquelicot Require Import Coquelicot.
From Coq Require Import List.
From PlannerCcd Require Import Vectors Taylor Moves Bounds Curves Leaf Statement Intervals.
Import ListNotations.
Open Scope R_scope.

(* ---- a point carried along a chain -------------------------------------------------------------------------------------- *)

Record ijet := IJet { j0 : ivec; j1 : ivec; j2 : ivec }.

Definition has_jet (a : ijet) (j : jet) : Prop := has_v (j0 a) (p0 j) /\ has_v (j1 a) (p1 j) /\ has_v (j2 a) (p2 j).

Definition ispin_by a b c v := IV (idot a v) (idot b v) (idot c v).
Definition iturn u s c y := let n := icross u y in ivadd (ivadd y (ivscale s n)) (ivscale (isub (iint 1) c) (icross u n)).

Definition ijet_step (s : istep) (j : ijet) : ijet :=
  match s with
  | IShift p => IJet (ivadd (j0 j) p) (j1 j) (j2 j)
  | ISpin a b c => IJet (ispin_by a b c (j0 j)) (ispin_by a b c (j1 j)) (ispin_by a b c (j2 j))
  | ISlide u q => IJet (ivadd (j0 j) (ivscale (i0 q) u)) (ivadd (j1 j) (ivscale (i1 q) u)) (ivadd (j2 j) (ivscale (i2 q) u))
  | ITurn u s c q =>
    let n := icross u (j0 j) in
    IJet (iturn u s c (j0 j)) (iturn u s c (ivadd (j1 j) (ivscale (i1 q) n)))
      (iturn u s c (ivadd (ivadd (j2 j) (ivscale (imul (iint 2) (i1 q)) (icross u (j1 j))))
        (ivadd (ivscale (i2 q) n) (ivscale (imul (i1 q) (i1 q)) (icross u n)))))
  end.

Definition ijets (l : list istep) x := fold_right ijet_step (IJet x ivzero ivzero) l.

Lemma has_spin_by : forall a b c w x y z i v, has_v a (row1 w x y z) -> has_v b (row2 w x y z) -> has_v c (row3 w x y z) ->
  has_v i v -> has_v (ispin_by a b c i) (spin w x y z v).
Proof.
  intros a b c w x y z i v Ha Hb Hc Hi.
  replace (spin w x y z v) with (V3 (dot (row1 w x y z) v) (dot (row2 w x y z) v) (dot (row3 w x y z) v)).
  - split; [| split]; simpl; apply has_dot; assumption.
  - unfold spin, row1, row2, row3, over, dot. apply vec_eq; simpl; ring.
Qed.

Lemma has_turn : forall iu is ic iy u s c y, has_v iu u -> has is s -> has ic c -> has_v iy y ->
  has_v (iturn iu is ic iy) (rot u s c y).
Proof. intros. unfold iturn, rot. auto 20 with has. Qed.

Lemma has_jet_step : forall m is s r ij j, has_step m is s r -> has_jet ij j -> has_jet (ijet_step is ij) (jet_step s m j).
Proof.
  intros m is s r ij j H (J0 & J1 & J2). destruct is, s; simpl in H; try contradiction; unfold has_jet; simpl.
  - auto with has.
  - destruct H as (A & B & C). split; [| split]; apply has_spin_by; assumption.
  - destruct H as (U & (Q0 & Q1 & Q2) & Q). unfold slide. auto 20 with has.
  - destruct H as (U & (S & C) & (Q0 & Q1 & Q2) & Q). unfold turn.
    split; [| split]; apply has_turn; auto 20 with has.
Qed.

(* ---- its bounds ---------------------------------------------------------------------------------------------------------- *)

Record ibound := IBound { ilever : I.type; ib1 : I.type; ib2 : I.type; ib3 : I.type; imoved : I.type }.

Definition has_bound (a : ibound) (b : bound) : Prop :=
  (has (ilever a) (lever b) /\ has (imoved a) (moved_by b)) /\ has (ib1 a) (b1 b) /\ has (ib2 a) (b2 b) /\ has (ib3 a) (b3 b).

Definition ibound_step (s : istep) (b : ibound) : ibound :=
  match s with
  | IShift p => IBound (iadd (ilever b) (inorm p)) (ib1 b) (ib2 b) (ib3 b) (imoved b)
  | ISpin _ _ _ => b
  | ISlide _ q => IBound (iadd (ilever b) (iadd (w0 q) (wide q))) (iadd (ib1 b) (w1 q)) (iadd (ib2 b) (w2 q)) (iadd (ib3 b) (w3 q))
      (iadd (imoved b) (wide q))
  | ITurn _ _ _ q =>
    let w := w1 q in let a := w2 q in let ww := imul w w in
    IBound (ilever b)
      (iadd (ib1 b) (imul w (ilever b)))
      (iadd (iadd (ib2 b) (imul (imul (iint 2) w) (ib1 b))) (imul (iadd ww a) (ilever b)))
      (iadd (iadd (iadd (ib3 b) (imul (imul (iint 3) w) (ib2 b))) (imul (imul (iint 3) (iadd ww a)) (ib1 b)))
        (imul (iadd (imul w (iadd ww (imul (iint 3) a))) (w3 q)) (ilever b)))
      (iadd (imoved b) (imul (wide q) (ilever b)))
  end.

Definition ibounds (l : list istep) reach := fold_right ibound_step (IBound reach izero izero izero izero) l.

Lemma has_bound_step : forall m is s r ib b, has_step m is s r -> has_bound ib b -> has_bound (ibound_step is ib) (bound_step s r b).
Proof.
  intros m is s r ib b H ((BL & BM) & B1 & B2 & B3). destruct is, s; simpl in H; try contradiction; unfold has_bound; simpl.
  - auto with has.
  - auto with has.
  - destruct H as (U & _ & (W0 & W1 & W2 & W3) & D). auto 20 with has.
  - destruct H as (U & _ & _ & (W0 & W1 & W2 & W3) & D). auto 30 with has.
Qed.

Definition has_steps (m : R) (il : list istep) (l : list (step * rates)) : Prop :=
  Forall2 (fun is sr => has_step m is (fst sr) (snd sr)) il l.

Lemma has_jets : forall m il l x v, has_steps m il l -> has_v x v -> has_jet (ijets il x) (jets (map fst l) m v).
Proof.
  intros m il l x v H Hx. induction H as [| is sr il l H _ IH].
  - split; [exact Hx |]. split; apply has_vzero.
  - simpl. eapply has_jet_step; eassumption.
Qed.

Lemma has_bounds : forall m il l x r, has_steps m il l -> has x r -> has_bound (ibounds il x) (bounds l r).
Proof.
  intros m il l x r H Hx. induction H as [| is sr il l H _ IH].
  - split; [split; [exact Hx | apply has_zero] |]. split; [| split]; apply has_zero.
  - simpl. eapply has_bound_step; eassumption.
Qed.

(* ---- how far a volume reaches ---------------------------------------------------------------------------------------------- *)

(* A corner's bounds and jet, computed once for both orders. *)
Definition corner : Type := ibound * ijet.
Definition icorners (l : list istep) (cs : list ivec) : list corner := map (fun c => (ibounds l (inorm c), ijets l c)) cs.

Definition ihalf a := imul a (iinv (iint 2)).
Definition isixth a := imul a (iinv (iint 6)).

Definition iend_a n length (c : corner) s :=
  let (b, j) := c in
  iadd (iadd (iadd (idot n (j0 j)) (imul s (idot n (j1 j)))) (imul (imul s s) (ihalf (imul length (ib2 b)))))
    (imul length (imoved b)).

Definition iend_b n length (c : corner) s :=
  let (b, j) := c in let a := iabs s in
  iadd (iadd (iadd (iadd (idot n (j0 j)) (imul s (idot n (j1 j)))) (imul (imul s s) (ihalf (imax izero (idot n (j2 j))))))
    (imul (imul (imul a a) a) (isixth (imul length (ib3 b))))) (imul length (imoved b)).

Definition ireach (third : bool) n length c h :=
  if third then imax (iend_b n length c (ineg h)) (iend_b n length c h)
  else imax (iend_a n length c (ineg h)) (iend_a n length c h).

Definition igreatest (l : list I.type) : I.type := match l with [] => izero | c :: rest => fold_right imax c rest end.

Definition ifarthest third n length (cs : list corner) h := igreatest (map (fun c => ireach third n length c h) cs).

Definition farthest (third : bool) l n v m h := if third then farthest_b l n v m h else farthest_a l n v m h.

Lemma has_reach : forall third n length c h rn b j rh, has_v n rn -> has length (norm rn) -> has_bound (fst c) b ->
  has_jet (snd c) j -> has h rh ->
  has (ireach third n length c h) (if third then reach_b rn b j rh else reach_a rn b j rh).
Proof.
  intros third n length [ib ij] h rn b j rh Hn Hl ((BL & BM) & B1 & B2 & B3) (J0 & J1 & J2) Hh. simpl in *.
  destruct third; simpl; unfold reach_a, reach_b, end_a, end_b, iend_a, iend_b, ihalf, isixth, Rdiv; auto 30 with has.
Qed.

Lemma has_greatest : forall (f : vec -> R) cs il, Forall2 (fun i c => has i (f c)) il cs -> has (igreatest il) (greatest f cs).
Proof.
  intros f cs il H. destruct H as [| a c il cs Hc H]; simpl; [apply has_zero |].
  induction H as [| x y il cs Hx _ IH]; simpl; [assumption |]. apply has_max; assumption.
Qed.

Lemma has_farthest : forall third m il l n length cs v h rn rh, has_steps m il l -> has_v n rn -> has length (norm rn) ->
  Forall2 has_v cs (corners v) -> has h rh ->
  has (ifarthest third n length (icorners il cs) h) (farthest third l rn v m rh).
Proof.
  intros third m il l n length cs v h rn rh Hl Hn Hlen Hc Hh.
  assert (G : Forall2 (fun i c => has i (if third then reach_b rn (bounds l (norm c)) (jets (map fst l) m c) rh
    else reach_a rn (bounds l (norm c)) (jets (map fst l) m c) rh))
    (map (fun c => ireach third n length c h) (icorners il cs)) (corners v)).
  { induction Hc as [| x y cs ys Hx _ IH]; constructor; [| exact IH].
    apply has_reach; try assumption; [eapply has_bounds | eapply has_jets]; eauto with has. }
  apply has_greatest in G. unfold farthest, farthest_a, farthest_b. destruct third; exact G.
Qed.

(* ---- the leaf -------------------------------------------------------------------------------------------------------------- *)

Record ivolume := IVolume { icorner : list ivec; iradius : I.type }.
Definition has_volume (i : ivolume) (v : volume) : Prop := Forall2 has_v (icorner i) (corners v) /\ has (iradius i) (radius v).

Definition ileaf third (ca cb : list corner) (va vb : ivolume) n margin h : bool :=
  let length := inorm n in
  negative (iadd (iadd (ifarthest third n length ca h) (ifarthest false (ivneg n) length cb h))
    (imul length (iadd (iadd (iradius va) (iradius vb)) margin))).

Lemma ileaf_correct : forall third ila la ilb lb iva va ivb vb n rn margin rm h rh m,
  ileaf third (icorners ila (icorner iva)) (icorners ilb (icorner ivb)) iva ivb n margin h = true ->
  has_steps m ila la -> has_steps m ilb lb -> has_volume iva va -> has_volume ivb vb -> has_v n rn -> has margin rm ->
  has h rh -> 0 <= rh -> leaf_holds la lb va vb rn rm m rh.
Proof.
  intros third ila la ilb lb iva va ivb vb n rn margin rm h rh m H Ha Hb (Va & Ra) (Vb & Rb) Hn Hm Hh H0.
  split; [exact H0 |]. exists (farthest third la rn va m rh), (farthest false lb (vneg rn) vb m rh). split; [| split].
  - destruct third; [right | left]; reflexivity.
  - left; reflexivity.
  - eapply negative_correct; [exact H |]. apply has_add.
    + apply has_add; apply has_farthest; auto with has. rewrite norm_neg. auto with has.
    + apply has_mul; auto with has.
Qed.

(* From steps that are good to steps with rates. *)
Lemma good_rates : forall m h il sl, Forall2 (good m h) il sl ->
  exists l, map fst l = sl /\ has_steps m il l /\ Forall (fun sr => forall t, m - h <= t <= m + h -> step_within (fst sr) (snd sr) t) l.
Proof.
  intros m h il sl H. induction H as [| is s il sl (r & Hr & Hw) _ (l & El & Hl & Wl)].
  - exists []. repeat split; constructor.
  - exists ((s, r) :: l). simpl. rewrite El. repeat split; [constructor | constructor]; assumption.
Qed.

Lemma rates_over : forall m h sl l, map fst l = sl -> (forall t, m - h <= t <= m + h -> Forall (fun s => proper s t) sl) ->
  Forall (fun sr => forall t, m - h <= t <= m + h -> step_within (fst sr) (snd sr) t) l -> holds_over l m h.
Proof.
  intros m h sl l <- Hp Hw t Ht. specialize (Hp t Ht). rewrite Forall_map in Hp. rewrite Forall_forall in *.
  intros sr Hin. split; [apply Hp, Hin | apply (Hw _ Hin t Ht)].
Qed.
