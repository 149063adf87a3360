(* Taylor's theorem as bounds (MATHS.md T3; verify.hpp (a) and (b)), and why the ends of an interval suffice. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* After auto_derive: the derivative of f at x is the one that H says. *)
Ltac derived H := match type of H with is_derive ?f ?x ?l =>
  let E := fresh in assert (E : Derive (fun y => f y) x = l) by (apply is_derive_unique; exact H); rewrite ?E end.

(* A function that starts at 0 or above and does not fall stays there. *)
Lemma stays_above : forall (g g1 : R -> R) h,
  (forall s, 0 <= s <= h -> is_derive g s (g1 s)) -> (forall s, 0 <= s <= h -> 0 <= g1 s) -> 0 <= g 0 ->
  forall s, 0 <= s <= h -> 0 <= g s.
Proof.
  intros g g1 h Hd Hpos H0 s Hs.
  destruct (MVT_gen g 0 s g1) as [c [Hc Heq]].
  - intros x Hx. rewrite Rmin_left, Rmax_right in Hx by lra. apply Hd; lra.
  - intros x Hx. rewrite Rmin_left, Rmax_right in Hx by lra.
    apply derivable_continuous_pt. exists (g1 x). apply is_derive_Reals, Hd; lra.
  - rewrite Rmin_left, Rmax_right in Hc by lra.
    assert (0 <= g1 c) by (apply Hpos; lra). nra.
Qed.

Section Forward.
  Variables f f1 f2 f3 : R -> R.
  Hypothesis d0 : forall t, is_derive f t (f1 t).
  Hypothesis d1 : forall t, is_derive f1 t (f2 t).
  Hypothesis d2 : forall t, is_derive f2 t (f3 t).

  Lemma forward2 : forall h b, (forall s, 0 <= s <= h -> f2 s <= b) ->
    forall s, 0 <= s <= h -> f s <= f 0 + s * f1 0 + s * s / 2 * b.
  Proof.
    intros h b Hb.
    assert (H1 : forall s, 0 <= s <= h -> 0 <= f1 0 + s * b - f1 s).
    { apply stays_above with (g1 := fun s => b - f2 s); [| | lra].
      - intros s _. pose proof (d1 s). auto_derive; [exists (f2 s); assumption |].
        derived (d1 s). ring.
      - intros s Hs. specialize (Hb s Hs). lra. }
    intros s Hs. cut (0 <= f 0 + s * f1 0 + s * s / 2 * b - f s); [lra |]. revert s Hs.
    apply stays_above with (g1 := fun s => f1 0 + s * b - f1 s); [| assumption | lra].
    intros s _. pose proof (d0 s). auto_derive; [exists (f1 s); assumption |].
    derived (d0 s). field.
  Qed.
End Forward.

Section Forward3.
  Variables f f1 f2 f3 : R -> R.
  Hypothesis d0 : forall t, is_derive f t (f1 t).
  Hypothesis d1 : forall t, is_derive f1 t (f2 t).
  Hypothesis d2 : forall t, is_derive f2 t (f3 t).

  Lemma forward3 : forall h b, (forall s, 0 <= s <= h -> f3 s <= b) ->
    forall s, 0 <= s <= h -> f s <= f 0 + s * f1 0 + s * s / 2 * f2 0 + s * s * s / 6 * b.
  Proof.
    intros h b Hb.
    pose proof (forward2 f1 f2 f3 d1 d2 h b Hb) as H1.
    intros s Hs. cut (0 <= f 0 + s * f1 0 + s * s / 2 * f2 0 + s * s * s / 6 * b - f s); [lra |]. revert s Hs.
    apply stays_above with (g1 := fun s => f1 0 + s * f2 0 + s * s / 2 * b - f1 s).
    - intros s _. pose proof (d0 s). auto_derive; [exists (f1 s); assumption |].
      derived (d0 s). field.
    - intros s Hs. specialize (H1 s Hs). lra.
    - lra.
  Qed.
End Forward3.

(* Both ways from m: a function with three derivatives, the second at most b2 and the third at most b3 in size. *)
Section Taylor.
  Variables f f1 f2 f3 : R -> R.
  Hypothesis d0 : forall t, is_derive f t (f1 t).
  Hypothesis d1 : forall t, is_derive f1 t (f2 t).
  Hypothesis d2 : forall t, is_derive f2 t (f3 t).
  Variables m h : R.

  Lemma moved : forall (g g1 : R -> R) k, (forall t, is_derive g t (g1 t)) ->
    forall s, is_derive (fun s => g (m + k * s)) s (k * g1 (m + k * s)).
  Proof.
    intros g g1 k Hg s. pose proof (Hg (m + k * s)). auto_derive; [exists (g1 (m + k * s)); assumption |].
    derived (Hg (m + k * s)). ring.
  Qed.

  Lemma moved' : forall (g g1 : R -> R) c k, (forall t, is_derive g t (g1 t)) ->
    forall s, is_derive (fun s => c * g (m + k * s)) s (c * (k * g1 (m + k * s))).
  Proof. intros. apply is_derive_scal, moved; assumption. Qed.

  (* (a) *)
  Theorem taylor_a : forall b, (forall t, m - h <= t <= m + h -> Rabs (f2 t) <= b) ->
    forall s, Rabs s <= h -> f (m + s) <= f m + s * f1 m + s * s / 2 * b.
  Proof.
    intros b Hb s Hs.
    assert (Hk : forall k, k = 1 \/ k = -1 -> forall r, 0 <= r <= h ->
              f (m + k * r) <= f m + r * (k * f1 m) + r * r / 2 * b).
    { intros k Hk r Hr.
      pose proof (forward2 (fun s => f (m + k * s)) (fun s => k * f1 (m + k * s)) (fun s => k * (k * f2 (m + k * s)))
        (moved f f1 k d0) (moved' f1 f2 k k d1) h b) as H.
      cbv beta in H; rewrite Rmult_0_r, Rplus_0_r in H. apply H; [| assumption].
      intros s' Hs'. assert (Hin : m - h <= m + k * s' <= m + h) by (destruct Hk; subst; lra).
      specialize (Hb _ Hin). apply Rabs_le_between in Hb. destruct Hk; subst; lra. }
    apply Rabs_le_between in Hs. destruct (Rle_lt_dec 0 s) as [Hp | Hn].
    - specialize (Hk 1 (or_introl eq_refl) s ltac:(lra)). rewrite Rmult_1_l in Hk. lra.
    - specialize (Hk (-1) (or_intror eq_refl) (- s) ltac:(lra)).
      replace (-1 * - s) with s in Hk by ring. lra.
  Qed.

  (* (b) *)
  Theorem taylor_b : forall b, (forall t, m - h <= t <= m + h -> Rabs (f3 t) <= b) ->
    forall s, Rabs s <= h -> f (m + s) <= f m + s * f1 m + s * s / 2 * f2 m + Rabs s * Rabs s * Rabs s / 6 * b.
  Proof.
    intros b Hb s Hs.
    assert (Hk : forall k, k = 1 \/ k = -1 -> forall r, 0 <= r <= h ->
              f (m + k * r) <= f m + r * (k * f1 m) + r * r / 2 * f2 m + r * r * r / 6 * b).
    { intros k Hk r Hr.
      assert (d2' : forall s, is_derive (fun s => k * (k * f2 (m + k * s))) s (k * (k * (k * f3 (m + k * s))))).
      { intros s'. apply is_derive_scal, moved', d2. }
      pose proof (forward3 (fun s => f (m + k * s)) (fun s => k * f1 (m + k * s)) (fun s => k * (k * f2 (m + k * s))) _
        (moved f f1 k d0) (moved' f1 f2 k k d1) d2' h b) as H.
      cbv beta in H; rewrite Rmult_0_r, Rplus_0_r in H. replace (k * (k * f2 m)) with (f2 m) in H by (destruct Hk; subst; ring).
      apply H; [| assumption].
      intros s' Hs'. assert (Hin : m - h <= m + k * s' <= m + h) by (destruct Hk; subst; lra).
      specialize (Hb _ Hin). apply Rabs_le_between in Hb. destruct Hk; subst; lra. }
    pose proof Hs as Hs'. apply Rabs_le_between in Hs'. destruct (Rle_lt_dec 0 s) as [Hp | Hn].
    - rewrite Rabs_pos_eq by lra. specialize (Hk 1 (or_introl eq_refl) s ltac:(lra)). rewrite Rmult_1_l in Hk. lra.
    - rewrite Rabs_left by lra. specialize (Hk (-1) (or_intror eq_refl) (- s) ltac:(lra)).
      replace (-1 * - s) with s in Hk by ring. replace (- s * - s) with (s * s) in * by ring. lra.
  Qed.
End Taylor.

(* What stands on the right of (a) and (b) is convex in s: it is below at both ends, so it is below between. *)
Lemma ends_suffice : forall h a b c d l s, 0 <= c -> 0 <= d -> Rabs s <= h ->
  a - h * b + h * h * c + h * h * h * d <= l -> a + h * b + h * h * c + h * h * h * d <= l ->
  a + s * b + s * s * c + Rabs s * Rabs s * Rabs s * d <= l.
Proof.
  intros h a b c d l s Hc Hd Hs H1 H2.
  assert (H0 : 0 <= h) by (pose proof (Rabs_pos s); lra).
  destruct (Req_dec h 0) as [-> | Hh].
  - assert (s = 0) by (apply Rabs_le_between in Hs; lra). subst. rewrite Rabs_R0. lra.
  - set (r := Rabs s) in *. assert (0 <= r) by apply Rabs_pos.
    replace (s * s) with (r * r) by (unfold r; rewrite <- Rabs_mult; apply Rabs_pos_eq; nra).
    set (k := r / h). assert (Hr : r = k * h) by (unfold k; field; assumption).
    assert (Hk : 0 <= k <= 1).
    { unfold k. split; [apply Rmult_le_pos; [assumption | left; apply Rinv_0_lt_compat; lra] |].
      apply Rmult_le_reg_r with h; [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Ha : a <= l) by (assert (0 <= h * h * c) by nra; assert (0 <= h * h * h * d) by
      (apply Rmult_le_pos; [nra | assumption]); lra).
    assert (Hb : s * b = k * (h * b) \/ s * b = k * (- (h * b))).
    { unfold r in Hr. unfold Rabs in Hr. destruct (Rcase_abs s).
      - right. replace s with (- (k * h)) by lra. ring.
      - left. rewrite Hr. ring. }
    set (C := h * h * c) in *. set (D := h * h * h * d) in *.
    assert (HC : 0 <= C) by (unfold C; nra).
    assert (HD : 0 <= D) by (unfold D; apply Rmult_le_pos; [nra | assumption]).
    replace (r * r * c) with (k * k * C) by (rewrite Hr; unfold C; ring).
    replace (r * r * r * d) with (k * k * k * D) by (rewrite Hr; unfold D; ring).
    assert (k * k <= k) by nra. assert (k * k * k <= k) by nra.
    assert (k * k * C <= k * C) by nra. assert (k * k * k * D <= k * D) by nra.
    destruct Hb as [-> | ->].
    + assert (k * (a + h * b + C + D) + (1 - k) * a <= l) by nra. nra.
    + assert (k * (a - h * b + C + D) + (1 - k) * a <= l) by nra. nra.
Qed.
