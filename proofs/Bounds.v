(* The exact derivatives of a point that a chain of moves carries, and the recursion that bounds them: MATHS.md T1 (1), T16 (25);
   verify.hpp (M); `bound_way` in verify.py, step by step. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Coq Require Import List.
From PlannerCcd Require Import Vectors Taylor Moves.
Open Scope R_scope.

(* ---- derivatives of vectors ------------------------------------------------------------------------------------------- *)

Definition vderive (f : R -> vec) (t : R) (d : vec) : Prop :=
  is_derive (fun s => vx (f s)) t (vx d) /\ is_derive (fun s => vy (f s)) t (vy d) /\ is_derive (fun s => vz (f s)) t (vz d).

Ltac coordinates := split; [| split]; simpl.

Lemma vderive_eq : forall f t d d', d = d' -> vderive f t d -> vderive f t d'.
Proof. intros; subst; assumption. Qed.

Lemma vderive_const : forall a t, vderive (fun _ => a) t vzero.
Proof. intros; coordinates; apply @is_derive_const. Qed.

Lemma vderive_add : forall f g t a b, vderive f t a -> vderive g t b -> vderive (fun s => vadd (f s) (g s)) t (vadd a b).
Proof. intros f g t a b (F1 & F2 & F3) (G1 & G2 & G3). coordinates; apply @is_derive_plus; assumption. Qed.

Lemma rderive_mult : forall (f g : R -> R) t a b, is_derive f t a -> is_derive g t b ->
  is_derive (fun s => f s * g s) t (a * g t + f t * b).
Proof.
  intros f g t a b Hf Hg. auto_derive; [split; [exists a | split; [exists b |]]; auto |]. derived Hf. derived Hg. ring.
Qed.

Lemma vderive_scale : forall (k : R -> R) f t dk a, is_derive k t dk -> vderive f t a ->
  vderive (fun s => vscale (k s) (f s)) t (vadd (vscale dk (f t)) (vscale (k t) a)).
Proof. intros k f t dk a Hk (F1 & F2 & F3). coordinates; apply rderive_mult; assumption. Qed.

Lemma rderive_lin : forall (f g : R -> R) t a b k l, is_derive f t a -> is_derive g t b ->
  is_derive (fun s => k * f s - l * g s) t (k * a - l * b).
Proof. intros. apply @is_derive_minus; apply is_derive_scal; assumption. Qed.

Lemma rderive_lin3 : forall (f g h : R -> R) t a b c k l m, is_derive f t a -> is_derive g t b -> is_derive h t c ->
  is_derive (fun s => k * f s + l * g s + m * h s) t (k * a + l * b + m * c).
Proof. intros. apply @is_derive_plus; [apply @is_derive_plus |]; apply is_derive_scal; assumption. Qed.

Lemma vderive_cross : forall u f t a, vderive f t a -> vderive (fun s => cross u (f s)) t (cross u a).
Proof. intros u f t a (F1 & F2 & F3). coordinates; apply rderive_lin; assumption. Qed.

Lemma vderive_dot : forall n f t a, vderive f t a -> is_derive (fun s => dot n (f s)) t (dot n a).
Proof. intros n f t a (F1 & F2 & F3). unfold dot. apply rderive_lin3; assumption. Qed.

Lemma vderive_spin : forall w x y z f t a, vderive f t a -> vderive (fun s => spin w x y z (f s)) t (spin w x y z a).
Proof.
  intros w x y z f t a (F1 & F2 & F3). unfold spin.
  coordinates; apply is_derive_scal, rderive_lin3; assumption.
Qed.

Lemma sin_curve : forall q t d, is_derive q t d -> is_derive (fun s => sin (q s)) t (d * cos (q t)).
Proof. intros q t d H. auto_derive; [exists d; assumption |]. derived H. ring. Qed.

Lemma cos_curve : forall q t d, is_derive q t d -> is_derive (fun s => 1 - cos (q s)) t (d * sin (q t)).
Proof. intros q t d H. auto_derive; [exists d; assumption |]. derived H. ring. Qed.

(* A point that turns with the move, and moves as y in what turns. *)
Lemma vderive_turn : forall n q y t d a, dot n n <> 0 -> is_derive q t d -> vderive y t a ->
  vderive (fun s => turn n (q s) (y s)) t (turn n (q t) (vadd a (vscale d (cross (unit n) (y t))))).
Proof.
  intros n q y t d a Hn Hq Hy. set (u := unit n).
  assert (Hu : dot u u = 1) by (apply dot_unit; assumption).
  unfold turn, rot. fold u. eapply vderive_eq; cycle 1.
  - apply vderive_add; [apply vderive_add; [exact Hy |] |].
    + apply vderive_scale; [apply sin_curve, Hq | apply vderive_cross, Hy].
    + apply vderive_scale; [apply cos_curve, Hq | apply vderive_cross, vderive_cross, Hy].
  - cbv beta.
    assert (E : cross u (cross u (cross u (y t))) = vneg (cross u (y t))).
    { transitivity (vscale (- dot u u) (cross u (y t))); [unfold dot; vring | rewrite Hu; vring]. }
    transitivity (vadd (vadd (vadd a (vscale (sin (q t)) (cross u a))) (vscale (1 - cos (q t)) (cross u (cross u a))))
      (vscale d (vadd (vadd (cross u (y t)) (vscale (sin (q t)) (cross u (cross u (y t)))))
        (vscale (1 - cos (q t)) (cross u (cross u (cross u (y t)))))))); [rewrite E; vring | vring].
Qed.

(* ---- jets: a place and its derivatives -------------------------------------------------------------------------------- *)

Record jet := Jet { p0 : vec; p1 : vec; p2 : vec; p3 : vec }.

Definition at_rest x := Jet x vzero vzero vzero.

(* In what turns: y with y' + q' n x y for a derivative. *)
Definition swung u q1 q2 q3 (j : jet) : jet :=
  let N := cross u in
  Jet (p0 j)
    (vadd (p1 j) (vscale q1 (N (p0 j))))
    (vadd (vadd (p2 j) (vscale (2 * q1) (N (p1 j)))) (vadd (vscale q2 (N (p0 j))) (vscale (q1 * q1) (N (N (p0 j))))))
    (vadd (vadd (p3 j) (vscale (3 * q1) (N (p2 j))))
      (vadd (vadd (vscale (3 * q2) (N (p1 j))) (vscale (3 * q1 * q1) (N (N (p1 j)))))
        (vadd (vscale q3 (N (p0 j))) (vadd (vscale (3 * q1 * q2) (N (N (p0 j)))) (vscale (q1 * q1 * q1) (N (N (N (p0 j))))))))).

Definition on_jet (f : vec -> vec) j := Jet (f (p0 j)) (f (p1 j)) (f (p2 j)) (f (p3 j)).

(* What a step with the stated values makes of a jet. *)
Definition jet_step (s : step) (t : R) (j : jet) : jet :=
  match s with
  | Shift p => Jet (vadd (p0 j) p) (p1 j) (p2 j) (p3 j)
  | Spin w x y z => on_jet (spin w x y z) j
  | Slide n c _ _ => Jet (slide n (c0 c t) (p0 j)) (slide n (c1 c t) (p1 j)) (slide n (c2 c t) (p2 j)) (slide n (c3 c t) (p3 j))
  | Turn n c _ _ => on_jet (turn n (c0 c t)) (swung (unit n) (c1 c t) (c2 c t) (c3 c t) j)
  end.

Definition jets (l : list step) t x := fold_right (fun s j => jet_step s t j) (at_rest x) l.

Definition smooth (P : R -> jet) : Prop := forall t,
  vderive (fun s => p0 (P s)) t (p1 (P t)) /\ vderive (fun s => p1 (P s)) t (p2 (P t)) /\ vderive (fun s => p2 (P s)) t (p3 (P t)).

Definition sound_axis (s : step) : Prop :=
  match s with
  | Shift _ => True
  | Spin w x y z => w * w + x * x + y * y + z * z <> 0
  | Slide n _ _ _ | Turn n _ _ _ => dot n n <> 0
  end.

Lemma vderive_const_axis : forall u (k : R -> R) t dk, is_derive k t dk -> vderive (fun s => vscale (k s) u) t (vscale dk u).
Proof.
  intros. eapply vderive_eq; [| apply vderive_scale; [eassumption | apply vderive_const]]. vring.
Qed.

Lemma rderive_scaled : forall k (f : R -> R) t d, is_derive f t d -> is_derive (fun s => k * f s) t (k * d).
Proof. intros. apply is_derive_scal. assumption. Qed.

Lemma jet_step_smooth : forall s P, sound_axis s -> smooth P -> smooth (fun t => jet_step s t (P t)).
Proof.
  intros [p | w x y z | n c d a | n c d a] P Hs HP t; destruct (HP t) as (H0 & H1 & H2); simpl in *.
  - split; [| split; assumption]. eapply vderive_eq; [| apply vderive_add; [exact H0 | apply vderive_const]]. vring.
  - coordinates; apply vderive_spin; assumption.
  - unfold slide. split; [| split]; (apply vderive_add; [assumption | apply vderive_const_axis]).
    + apply curve_d0.
    + apply curve_d1.
    + apply curve_d2.
  - pose proof (curve_d0 c t) as Q0. pose proof (curve_d1 c t) as Q1. pose proof (curve_d2 c t) as Q2.
    set (u := unit n).
    split; [| split]; (eapply vderive_eq; cycle 1; [apply vderive_turn; [exact Hs | exact Q0 |] |]).
    + exact H0.
    + reflexivity.
    + apply vderive_add; [exact H1 | apply vderive_scale; [exact Q1 | apply vderive_cross, H0]].
    + fold u. f_equal. vring.
    + apply vderive_add; [apply vderive_add; [exact H2 |] | apply vderive_add].
      * apply vderive_scale; [apply rderive_scaled, Q1 | apply vderive_cross, H1].
      * apply vderive_scale; [exact Q2 | apply vderive_cross, H0].
      * apply vderive_scale; [apply rderive_mult; exact Q1 | apply vderive_cross, vderive_cross, H0].
    + fold u. f_equal. vring.
Qed.

Lemma at_rest_smooth : forall x, smooth (fun _ => at_rest x).
Proof. intros x t. split; [| split]; apply vderive_const. Qed.

Theorem jets_smooth : forall l x, Forall sound_axis l -> smooth (fun t => jets l t x).
Proof.
  intros l x H. induction H as [| s l Hs _ IH]; [apply at_rest_smooth |].
  exact (jet_step_smooth s (fun t => jets l t x) Hs IH).
Qed.

Lemma jets_nominal : forall l t x, p0 (jets l t x) = nominal l t x.
Proof. induction l as [| [] l IH]; intros; simpl; rewrite ?IH; reflexivity. Qed.

(* ---- bounds ----------------------------------------------------------------------------------------------------------- *)

(* Of a step's value over an interval: |q|, |q'|, |q''|, |q'''|. *)
Record rates := Rates { r0 : R; r1 : R; r2 : R; r3 : R }.

Definition within (c : curve) (r : rates) (t : R) : Prop :=
  Rabs (c0 c t) <= r0 r /\ Rabs (c1 c t) <= r1 r /\ Rabs (c2 c t) <= r2 r /\ Rabs (c3 c t) <= r3 r.

Definition step_within (s : step) (r : rates) (t : R) : Prop :=
  match s with Slide _ c _ _ | Turn _ c _ _ => within c r t | _ => True end.

(* Of a point: how far it is from the origin of the frame, of its three derivatives, and of what the tubes do to it. *)
Record bound := Bound { lever : R; b1 : R; b2 : R; b3 : R; moved_by : R }.

Definition still reach := Bound reach 0 0 0 0.

(* (1), with the tube's recursion beside it. *)
Definition bound_step (s : step) (r : rates) (b : bound) : bound :=
  match s with
  | Shift p => Bound (lever b + norm p) (b1 b) (b2 b) (b3 b) (moved_by b)
  | Spin _ _ _ _ => b
  | Slide _ _ d _ => Bound (lever b + (r0 r + d)) (b1 b + r1 r) (b2 b + r2 r) (b3 b + r3 r) (moved_by b + d)
  | Turn _ _ d _ =>
    let w := r1 r in let a := r2 r in
    Bound (lever b)
      (b1 b + w * lever b)
      (b2 b + 2 * w * b1 b + (w * w + a) * lever b)
      (b3 b + 3 * w * b2 b + 3 * (w * w + a) * b1 b + (w * (w * w + 3 * a) + r3 r) * lever b)
      (moved_by b + d * lever b)
  end.

Definition bounds (l : list (step * rates)) reach := fold_right (fun sr b => bound_step (fst sr) (snd sr) b) (still reach) l.

Definition bounded (b : bound) (j : jet) (x : vec) : Prop :=
  norm (p0 j) <= lever b /\ norm x <= lever b /\ norm (p1 j) <= b1 b /\ norm (p2 j) <= b2 b /\ norm (p3 j) <= b3 b /\
  norm (vsub x (p0 j)) <= moved_by b.

Lemma norm_scaled_le : forall k a x l, Rabs k <= a -> norm x <= l -> norm (vscale k x) <= a * l.
Proof.
  intros. rewrite norm_scale. apply Rmult_le_compat; [apply Rabs_pos | apply norm_ge0 | assumption | assumption].
Qed.

Lemma abs_mult_le : forall x y a b, Rabs x <= a -> Rabs y <= b -> Rabs (x * y) <= a * b.
Proof. intros. rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; assumption. Qed.

Lemma abs_const : forall k, 0 <= k -> Rabs k <= k.
Proof. intros. rewrite Rabs_pos_eq by assumption. lra. Qed.

Lemma one_less_cos : forall e, 1 - cos e <= e * e / 2.
Proof.
  intros e.
  pose proof (taylor_a (fun t => - cos t) (fun t => sin t) (fun t => cos t)) as H.
  specialize (H ltac:(intros; auto_derive; [trivial | ring]) ltac:(intros; auto_derive; [trivial | ring]) 0 (Rabs e) 1).
  specialize (H ltac:(intros; apply Rabs_le; pose proof (COS_bound t); lra) e ltac:(lra)).
  cbv beta in H. rewrite Rplus_0_l, cos_0, sin_0 in H. lra.
Qed.

(* An angle changed by e moves a point by at most |e| times its distance. *)
Lemma turn_changed : forall n q q' x, dot n n <> 0 -> norm (vsub (turn n q' x) (turn n q x)) <= Rabs (q' - q) * norm x.
Proof.
  intros n q q' x Hn. set (u := unit n). assert (Hu : dot u u = 1) by (apply dot_unit; assumption).
  apply norm_le; [apply Rmult_le_pos; [apply Rabs_pos | apply norm_ge0] |].
  unfold turn. fold u.
  assert (E1 : dot (cross u (cross u x)) (cross u (cross u x)) = dot (cross u x) (cross u x)).
  { pose proof (lagrange u (cross u x)). rewrite Hu in H.
    replace (dot u (cross u x)) with 0 in H by (unfold dot, cross; simpl; ring). lra. }
  replace (dot (vsub (rot u (sin q') (cos q') x) (rot u (sin q) (cos q) x)) _) with
    ((sin q' - sin q) * (sin q' - sin q) * dot (cross u x) (cross u x)
     + (cos q' - cos q) * (cos q' - cos q) * dot (cross u (cross u x)) (cross u (cross u x)))
    by (unfold rot, dot, cross; simpl; ring).
  rewrite E1.
  replace (Rabs (q' - q) * norm x * (Rabs (q' - q) * norm x)) with ((Rabs (q' - q) * Rabs (q' - q)) * (norm x * norm x)) by ring.
  rewrite norm_sqr, <- Rabs_mult, (Rabs_pos_eq ((q' - q) * (q' - q))) by apply Rle_0_sqr.
  assert (Hc : dot (cross u x) (cross u x) <= dot x x).
  { pose proof (lagrange u x). rewrite Hu in H. pose proof (Rle_0_sqr (dot u x)). unfold Rsqr in *. lra. }
  assert (He : (sin q' - sin q) * (sin q' - sin q) + (cos q' - cos q) * (cos q' - cos q) <= (q' - q) * (q' - q)).
  { pose proof (one_less_cos (q' - q)) as H. rewrite cos_minus in H.
    pose proof (sin2_cos2 q) as A. pose proof (sin2_cos2 q') as B. unfold Rsqr in *.
    replace ((sin q' - sin q) * (sin q' - sin q) + (cos q' - cos q) * (cos q' - cos q)) with
      ((sin q' * sin q' + cos q' * cos q') + (sin q * sin q + cos q * cos q) - 2 * (cos q' * cos q + sin q' * sin q)) by ring.
    rewrite A, B. lra. }
  pose proof (dot_self_ge0 (cross u x)).
  rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat; try assumption.
  apply Rplus_le_le_0_compat; apply Rle_0_sqr.
Qed.

Lemma bound_step_holds : forall s r t b j x, proper s t -> step_within s r t ->
  bounded b j x -> bounded (bound_step s r b) (jet_step s t j) (act s t x).
Proof.
  intros [p | w i k l | n c d a | n c d a] r t b j x Hs Hr (H0 & Hx & H1 & H2 & H3 & HT).
  - simpl. repeat split; simpl; try assumption.
    + eapply Rle_trans; [apply norm_add |]. lra.
    + eapply Rle_trans; [apply norm_add |]. lra.
    + replace (vsub (vadd x p) (vadd (p0 j) p)) with (vsub x (p0 j)) by vring. assumption.
  - simpl in Hs. simpl. repeat split; simpl; try (rewrite norm_spin by assumption; assumption).
    rewrite <- spin_sub, norm_spin by assumption. assumption.
  - destruct Hs as [Hn Hd]. destruct Hr as (Q0 & Q1 & Q2 & Q3).
    assert (Hu : forall q e, Rabs q <= e -> norm (vscale q (unit n)) <= e).
    { intros q e He. rewrite norm_scale, norm_unit by assumption. lra. }
    assert (Ha : Rabs (a t) <= r0 r + d).
    { replace (a t) with (c0 c t + (a t - c0 c t)) by ring. eapply Rle_trans; [apply Rabs_triang | lra]. }
    assert (0 <= d) by (eapply Rle_trans; [apply Rabs_pos | exact Hd]).
    simpl. repeat split; simpl; unfold slide.
    + eapply Rle_trans; [apply norm_add |]. specialize (Hu _ _ Q0). lra.
    + eapply Rle_trans; [apply norm_add |]. specialize (Hu _ _ Ha). lra.
    + eapply Rle_trans; [apply norm_add |]. specialize (Hu _ _ Q1). lra.
    + eapply Rle_trans; [apply norm_add |]. specialize (Hu _ _ Q2). lra.
    + eapply Rle_trans; [apply norm_add |]. specialize (Hu _ _ Q3). lra.
    + replace (vsub (vadd x (vscale (a t) (unit n))) (vadd (p0 j) (vscale (c0 c t) (unit n)))) with
        (vadd (vsub x (p0 j)) (vscale (a t - c0 c t) (unit n))) by vring.
      eapply Rle_trans; [apply norm_add |]. specialize (Hu _ _ Hd). lra.
  - destruct Hs as [Hn Hd]. destruct Hr as (Q0 & Q1 & Q2 & Q3). set (u := unit n).
    assert (Hu : dot u u = 1) by (apply dot_unit; assumption).
    assert (N1 : forall y e, norm y <= e -> norm (cross u y) <= e).
    { intros y e He. eapply Rle_trans; [apply norm_cross_unit; assumption | assumption]. }
    assert (A11 : Rabs (c1 c t * c1 c t) <= r1 r * r1 r) by (apply abs_mult_le; assumption).
    simpl. repeat split; simpl; rewrite ?norm_turn by assumption; fold u; try assumption.
    + eapply Rle_trans; [apply norm_add |].
      pose proof (norm_scaled_le _ _ _ _ Q1 (N1 _ _ H0)). lra.
    + eapply Rle_trans; [apply norm_add |].
      eapply Rle_trans; [apply Rplus_le_compat; apply norm_add |].
      assert (A2 : Rabs (2 * c1 c t) <= 2 * r1 r) by (apply abs_mult_le; [apply abs_const; lra | assumption]).
      pose proof (norm_scaled_le _ _ _ _ A2 (N1 _ _ H1)).
      pose proof (norm_scaled_le _ _ _ _ Q2 (N1 _ _ H0)).
      pose proof (norm_scaled_le _ _ _ _ A11 (N1 _ _ (N1 _ _ H0))). lra.
    + eapply Rle_trans; [apply norm_add |].
      eapply Rle_trans; [apply Rplus_le_compat; apply norm_add |].
      assert (A3 : Rabs (3 * c1 c t) <= 3 * r1 r) by (apply abs_mult_le; [apply abs_const; lra | assumption]).
      assert (A32 : Rabs (3 * c2 c t) <= 3 * r2 r) by (apply abs_mult_le; [apply abs_const; lra | assumption]).
      assert (A311 : Rabs (3 * c1 c t * c1 c t) <= 3 * r1 r * r1 r) by (apply abs_mult_le; assumption).
      assert (A312 : Rabs (3 * c1 c t * c2 c t) <= 3 * r1 r * r2 r) by (apply abs_mult_le; assumption).
      assert (A111 : Rabs (c1 c t * c1 c t * c1 c t) <= r1 r * r1 r * r1 r) by (apply abs_mult_le; assumption).
      pose proof (norm_scaled_le _ _ _ _ A3 (N1 _ _ H2)).
      pose proof (norm_scaled_le _ _ _ _ A32 (N1 _ _ H1)).
      pose proof (norm_scaled_le _ _ _ _ A311 (N1 _ _ (N1 _ _ H1))).
      pose proof (norm_scaled_le _ _ _ _ Q3 (N1 _ _ H0)).
      pose proof (norm_scaled_le _ _ _ _ A312 (N1 _ _ (N1 _ _ H0))).
      pose proof (norm_scaled_le _ _ _ _ A111 (N1 _ _ (N1 _ _ (N1 _ _ H0)))).
      match goal with |- norm ?x + _ + norm (vadd ?y ?z) <= _ => idtac | |- _ => idtac end.
      pose proof (norm_add (vscale (3 * c2 c t) (cross u (p1 j))) (vscale (3 * c1 c t * c1 c t) (cross u (cross u (p1 j))))).
      pose proof (norm_add (vscale (c3 c t) (cross u (p0 j))) (vadd (vscale (3 * c1 c t * c2 c t) (cross u (cross u (p0 j))))
        (vscale (c1 c t * c1 c t * c1 c t) (cross u (cross u (cross u (p0 j))))))).
      pose proof (norm_add (vscale (3 * c1 c t * c2 c t) (cross u (cross u (p0 j))))
        (vscale (c1 c t * c1 c t * c1 c t) (cross u (cross u (cross u (p0 j)))))).
      nra.
    + eapply Rle_trans; [apply (norm_sub _ (turn n (c0 c t) x)) |].
      pose proof (turn_changed n (c0 c t) (a t) x Hn).
      rewrite <- turn_sub, norm_turn by assumption.
      assert (Rabs (a t - c0 c t) * norm x <= d * lever b)
        by (apply Rmult_le_compat; [apply Rabs_pos | apply norm_ge0 | assumption | assumption]).
      lra.
Qed.

(* T1 and T16: where the stated values keep the rates, and the real ones the tubes, a point's place, derivatives and displacement
   keep the bounds. *)
Theorem bounds_hold : forall l t x reach, Forall (fun sr => proper (fst sr) t /\ step_within (fst sr) (snd sr) t) l ->
  norm x <= reach -> bounded (bounds l reach) (jets (map fst l) t x) (actual (map fst l) t x).
Proof.
  intros l t x reach H Hx. induction H as [| [s r] l [Hs Hr] _ IH].
  - repeat split; simpl; rewrite ?norm_zero; try lra.
    replace (vsub x x) with vzero by vring. rewrite norm_zero. lra.
  - apply (bound_step_holds s r t _ _ _ Hs Hr IH).
Qed.
