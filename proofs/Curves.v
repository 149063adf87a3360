(* Polynomials as curves, and what bounds them and their derivatives on an interval (verify.hpp (M): Taylor's formula, which is exact
   for polynomials; `Motion.value` in verify.py). *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Coq Require Import List.
From PlannerCcd Require Import Taylor Moves Bounds.
Import ListNotations.
Open Scope R_scope.

(* Coefficients of 1, t, t^2, ... *)
Fixpoint value (p : list R) (t : R) : R := match p with [] => 0 | c :: q => c + t * value q t end.

Fixpoint sum (p q : list R) : list R :=
  match p, q with
  | [], _ => q
  | _, [] => p
  | a :: p', b :: q' => (a + b) :: sum p' q'
  end.

Definition scaled k (p : list R) := map (Rmult k) p.

Fixpoint slope (p : list R) : list R := match p with [] => [] | _ :: q => sum q (0 :: slope q) end.

(* The same about m: of powers of t - m. *)
Fixpoint about (m : R) (p : list R) : list R :=
  match p with [] => [] | c :: q => sum [c] (sum (scaled m (about m q)) (0 :: about m q)) end.

Definition size_within (p : list R) (h : R) : R := value (map Rabs p) h.

Lemma value_sum : forall p q t, value (sum p q) t = value p t + value q t.
Proof. induction p as [| a p IH]; intros [| b q] t; simpl; try ring. rewrite IH. ring. Qed.

Lemma value_scaled : forall k p t, value (scaled k p) t = k * value p t.
Proof. induction p; intros; simpl; [ring |]. rewrite IHp. ring. Qed.

Lemma value_about : forall m p s, value (about m p) s = value p (m + s).
Proof.
  induction p as [| c p IH]; intros s; [reflexivity |].
  change (about m (c :: p)) with (sum [c] (sum (scaled m (about m p)) (0 :: about m p))).
  rewrite !value_sum. simpl. rewrite value_scaled, !IH. ring.
Qed.

Lemma value_derive : forall p t, is_derive (value p) t (value (slope p) t).
Proof.
  induction p as [| c p IH]; intros t.
  - apply @is_derive_const.
  - change (slope (c :: p)) with (sum p (0 :: slope p)). rewrite value_sum. simpl. pose proof (IH t) as H.
    apply (is_derive_ext (fun t => c + t * value p t)); [reflexivity |].
    auto_derive; [exists (value (slope p) t); exact H |]. derived H. ring.
Qed.

Lemma value_size : forall p s h, Rabs s <= h -> Rabs (value p s) <= size_within p h.
Proof.
  induction p as [| c p IH]; intros s h H; unfold size_within; simpl.
  - rewrite Rabs_R0. lra.
  - eapply Rle_trans; [apply Rabs_triang |]. apply Rplus_le_compat_l, abs_mult_le; [assumption | apply IH, H].
Qed.

Definition poly (p : list R) : curve :=
  Curve (value p) (value (slope p)) (value (slope (slope p))) (value (slope (slope (slope p))))
    (value_derive p) (value_derive (slope p)) (value_derive (slope (slope p))).

Definition poly_rates (p : list R) (m h : R) : rates :=
  let q := about m p in
  Rates (size_within q h) (size_within (slope q) h) (size_within (slope (slope q)) h) (size_within (slope (slope (slope q))) h).

(* Two lists with the same values at all t have the same slopes' values. *)
Lemma slope_same : forall p q (k : R), (forall s, value p s = value q (k + s)) -> forall s, value (slope p) s = value (slope q) (k + s).
Proof.
  intros p q k H s. rewrite <- (is_derive_unique _ _ _ (value_derive p s)). apply is_derive_unique.
  apply (is_derive_ext (fun s => value q (k + s))); [intros; symmetry; apply H |].
  pose proof (value_derive q (k + s)) as D. auto_derive; [exists (value (slope q) (k + s)); exact D |]. derived D. ring.
Qed.

Theorem poly_within : forall p m h t, m - h <= t <= m + h -> within (poly p) (poly_rates p m h) t.
Proof.
  intros p m h t Ht. unfold within, poly, poly_rates; simpl.
  assert (Hs : Rabs (t - m) <= h) by (apply Rabs_le; lra).
  assert (E0 := value_about m p). assert (E1 := slope_same _ _ _ E0).
  assert (E2 := slope_same _ _ _ E1). assert (E3 := slope_same _ _ _ E2).
  replace t with (m + (t - m)) by ring. rewrite <- E0, <- E1, <- E2, <- E3.
  repeat split; apply value_size, Hs.
Qed.
