(* A leaf: volumes that are apart over an interval because of one direction (MATHS.md T3 (2); verify.hpp (L) and (W)). *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Coq Require Import List.
From PlannerCcd Require Import Vectors Taylor Moves Bounds.
Open Scope R_scope.

(* ---- how far one point reaches along n over [m - h, m + h] ------------------------------------------------------------- *)

(* The right sides of (a) and (b) at m + s, for both ends s = -h and s = h; the tube's share is in both. *)
Definition end_a n (b : bound) (j : jet) s := dot n (p0 j) + s * dot n (p1 j) + s * s * (norm n * b2 b / 2) + norm n * moved_by b.

Definition end_b n (b : bound) (j : jet) s :=
  dot n (p0 j) + s * dot n (p1 j) + s * s * (Rmax 0 (dot n (p2 j)) / 2) + Rabs s * Rabs s * Rabs s * (norm n * b3 b / 6)
  + norm n * moved_by b.

Definition reach_a n b j h := Rmax (end_a n b j (- h)) (end_a n b j h).
Definition reach_b n b j h := Rmax (end_b n b j (- h)) (end_b n b j h).

(* Throughout the interval the moves are sound, their values within their rates, and the real ones within the tubes. *)
Definition holds_over (l : list (step * rates)) m h :=
  forall t, m - h <= t <= m + h -> Forall (fun sr => proper (fst sr) t /\ step_within (fst sr) (snd sr) t) l.

Lemma proper_sound : forall s t, proper s t -> sound_axis s.
Proof. intros [] t H; simpl in *; intuition. Qed.

Section Point.
  Variables (l : list (step * rates)) (m h : R) (n c : vec) (reach : R).
  Hypothesis Hh : 0 <= h.
  Hypothesis Hl : holds_over l m h.
  Hypothesis Hc : norm c <= reach.
  Let steps := map fst l.
  Let b := bounds l reach.
  Let j := jets steps m c.

  Lemma sound_steps : Forall sound_axis steps.
  Proof.
    unfold steps. rewrite Forall_map. eapply Forall_impl; [| apply (Hl m); lra].
    intros sr [H _]. eapply proper_sound, H.
  Qed.

  Lemma carried : forall t, m - h <= t <= m + h -> bounded b (jets steps t c) (actual steps t c).
  Proof. intros t Ht. apply bounds_hold; [apply Hl, Ht | exact Hc]. Qed.

  Lemma along_n : forall t, is_derive (fun s => dot n (p0 (jets steps s c))) t (dot n (p1 (jets steps t c))) /\
    is_derive (fun s => dot n (p1 (jets steps s c))) t (dot n (p2 (jets steps t c))) /\
    is_derive (fun s => dot n (p2 (jets steps s c))) t (dot n (p3 (jets steps t c))).
  Proof.
    intros t. destruct (jets_smooth steps c sound_steps t) as (H0 & H1 & H2).
    split; [| split]; apply vderive_dot; assumption.
  Qed.

  Lemma abs_dot : forall x k, norm x <= k -> Rabs (dot n x) <= norm n * k.
  Proof.
    intros x k Hk. apply Rabs_le. split.
    - pose proof (dot_le n (vneg x)) as H. rewrite norm_neg in H.
      replace (dot n (vneg x)) with (- dot n x) in H by (unfold dot; simpl; ring).
      pose proof (Rmult_le_compat_l (norm n) _ _ (norm_ge0 n) Hk). lra.
    - pose proof (dot_le n x). pose proof (Rmult_le_compat_l (norm n) _ _ (norm_ge0 n) Hk). lra.
  Qed.

  Lemma tube_share : forall t, m - h <= t <= m + h ->
    dot n (actual steps t c) <= dot n (p0 (jets steps t c)) + norm n * moved_by b.
  Proof.
    intros t Ht. destruct (carried t Ht) as (_ & _ & _ & _ & _ & HT).
    pose proof (dot_shift n (actual steps t c) (p0 (jets steps t c))).
    pose proof (Rmult_le_compat_l (norm n) _ _ (norm_ge0 n) HT). lra.
  Qed.

  Theorem point_a : forall t, m - h <= t <= m + h -> dot n (actual steps t c) <= reach_a n b j h.
  Proof.
    intros t Ht. eapply Rle_trans; [apply tube_share, Ht |].
    set (s := t - m). assert (Hs : Rabs s <= h) by (apply Rabs_le; unfold s; lra).
    replace t with (m + s) at 1 by (unfold s; ring).
    assert (T := taylor_a _ _ _ (fun t => proj1 (along_n t)) (fun t => proj1 (proj2 (along_n t))) m h
      (norm n * b2 b) (fun t Ht => abs_dot _ _ (proj1 (proj2 (proj2 (proj2 (carried t Ht)))))) s Hs).
    cbv beta in T. fold j in T.
    assert (0 <= norm n * b2 b).
    { eapply Rle_trans; [apply Rabs_pos | apply (abs_dot (p2 j))]. apply (carried m); lra. }
    set (k := norm n * moved_by b) in *.
    assert (E : dot n (p0 j) + k + s * dot n (p1 j) + s * s * (norm n * b2 b / 2) + Rabs s * Rabs s * Rabs s * 0 <= reach_a n b j h).
    { apply ends_suffice with h; [lra | lra | assumption | |]; unfold reach_a, end_a; fold k.
      - eapply Rle_trans; [| apply Rmax_l]. lra.
      - eapply Rle_trans; [| apply Rmax_r]. lra. }
    lra.
  Qed.

  Theorem point_b : forall t, m - h <= t <= m + h -> dot n (actual steps t c) <= reach_b n b j h.
  Proof.
    intros t Ht. eapply Rle_trans; [apply tube_share, Ht |].
    set (s := t - m). assert (Hs : Rabs s <= h) by (apply Rabs_le; unfold s; lra).
    replace t with (m + s) at 1 by (unfold s; ring).
    assert (T := taylor_b _ _ _ _ (fun t => proj1 (along_n t)) (fun t => proj1 (proj2 (along_n t)))
      (fun t => proj2 (proj2 (along_n t))) m h
      (norm n * b3 b) (fun t Ht => abs_dot _ _ (proj1 (proj2 (proj2 (proj2 (proj2 (carried t Ht))))))) s Hs).
    cbv beta in T. fold j in T.
    assert (0 <= norm n * b3 b).
    { eapply Rle_trans; [apply Rabs_pos | apply (abs_dot (p3 j))]. apply (carried m); lra. }
    pose proof (Rmax_l 0 (dot n (p2 j))) as M0. pose proof (Rmax_r 0 (dot n (p2 j))) as M1.
    set (k := norm n * moved_by b) in *. set (e := Rmax 0 (dot n (p2 j))) in *.
    assert (E : dot n (p0 j) + k + s * dot n (p1 j) + s * s * (e / 2) + Rabs s * Rabs s * Rabs s * (norm n * b3 b / 6)
      <= reach_b n b j h).
    { apply ends_suffice with h; [lra | lra | assumption | |]; unfold reach_b, end_b; fold k; fold e.
      - eapply Rle_trans; [| apply Rmax_l]. rewrite Rabs_Ropp, Rabs_pos_eq by assumption. lra.
      - eapply Rle_trans; [| apply Rmax_r]. rewrite Rabs_pos_eq by assumption. lra. }
    assert (s * s * dot n (p2 j) <= s * s * e) by (apply Rmult_le_compat_l; [apply Rle_0_sqr | assumption]).
    lra.
  Qed.
End Point.

(* ---- volumes ---------------------------------------------------------------------------------------------------------- *)

(* All points within a radius of the hull of some corners (FORMAT.md, Volumes). *)
Record volume := Volume { corners : list vec; radius : R }.

Definition inside (v : volume) (x : vec) : Prop := exists g, hull (corners v) g /\ norm (vsub x g) <= radius v.

Definition greatest (f : vec -> R) (points : list vec) : R :=
  match points with
  | nil => 0
  | c :: rest => fold_right (fun x r => Rmax (f x) r) (f c) rest
  end.

Lemma greatest_ge : forall f points c, In c points -> f c <= greatest f points.
Proof.
  intros f [| a rest] c; simpl; [tauto |]. intros H.
  assert (G : f a <= fold_right (fun x r => Rmax (f x) r) (f a) rest).
  { clear H. induction rest; simpl; [lra | eapply Rle_trans; [exact IHrest | apply Rmax_r]]. }
  destruct H as [-> | H]; [exact G |]. clear G. revert H. induction rest as [| x rest IH]; simpl; [tauto |].
  intros [-> | H]; [apply Rmax_l | eapply Rle_trans; [apply IH, H | apply Rmax_r]].
Qed.

(* What a volume does not go beyond, along n, over an interval: `farthest` of verify.py without the ball's share. *)
Definition farthest_a l n v m h :=
  greatest (fun c => reach_a n (bounds l (norm c)) (jets (map fst l) m c) h) (corners v).
Definition farthest_b l n v m h :=
  greatest (fun c => reach_b n (bounds l (norm c)) (jets (map fst l) m c) h) (corners v).

(* Maxima are at corners, and the radius adds |n| r: the motion is rigid, so means keep their weights and balls their size. *)
Lemma volume_along : forall l n v m h t x top, 0 <= h -> holds_over l m h -> m - h <= t <= m + h -> inside v x ->
  (forall c, In c (corners v) -> dot n (actual (map fst l) t c) <= top) ->
  dot n (actual (map fst l) t x) <= top + norm n * radius v.
Proof.
  intros l n v m h t x top Hh Hl Ht (g & Hg & Hr) Htop.
  assert (Hp : Forall (fun s => proper s t) (map fst l)).
  { rewrite Forall_map. eapply Forall_impl; [| apply (Hl t Ht)]. intros sr H; apply H. }
  assert (dot n (actual (map fst l) t g) <= top).
  { apply (hull_affine (fun x => dot n (actual (map fst l) t x)) (corners v)); [| assumption | assumption].
    intros. rewrite actual_mix, dot_mix. reflexivity. }
  pose proof (dot_shift n (actual (map fst l) t x) (actual (map fst l) t g)) as H1.
  rewrite actual_rigid in H1 by assumption.
  pose proof (Rmult_le_compat_l (norm n) _ _ (norm_ge0 n) Hr). lra.
Qed.

Theorem volume_a : forall l n v m h t x, 0 <= h -> holds_over l m h -> m - h <= t <= m + h -> inside v x ->
  dot n (actual (map fst l) t x) <= farthest_a l n v m h + norm n * radius v.
Proof.
  intros. eapply volume_along; try eassumption. intros c Hc. eapply Rle_trans; [| apply greatest_ge, Hc].
  apply point_a; try assumption. apply Rle_refl.
Qed.

Theorem volume_b : forall l n v m h t x, 0 <= h -> holds_over l m h -> m - h <= t <= m + h -> inside v x ->
  dot n (actual (map fst l) t x) <= farthest_b l n v m h + norm n * radius v.
Proof.
  intros. eapply volume_along; try eassumption. intros c Hc. eapply Rle_trans; [| apply greatest_ge, Hc].
  apply point_b; try assumption. apply Rle_refl.
Qed.

(* ---- the leaf --------------------------------------------------------------------------------------------------------- *)

(* `la` and `lb` lead from one frame to A and to B; in (L) the frame is B's and `lb` is empty, in (W) it is the world's. A's volume
   is bounded along n, B's against it, each by (a) or by (b). *)
Definition leaf_holds (la lb : list (step * rates)) (va vb : volume) (n : vec) (margin m h : R) : Prop :=
  0 <= h /\
  exists top_a top_b,
    (top_a = farthest_a la n va m h \/ top_a = farthest_b la n va m h) /\
    (top_b = farthest_a lb (vneg n) vb m h \/ top_b = farthest_b lb (vneg n) vb m h) /\
    top_a + top_b + norm n * (radius va + radius vb + margin) < 0.

Theorem leaf_apart : forall la lb va vb n margin m h, leaf_holds la lb va vb n margin m h ->
  holds_over la m h -> holds_over lb m h ->
  forall t, m - h <= t <= m + h -> forall a b, inside va a -> inside vb b ->
  margin < norm (vsub (actual (map fst la) t a) (actual (map fst lb) t b)).
Proof.
  intros la lb va vb n margin m h (Hh & ta & tb & Ha & Hb & Hgap) Hla Hlb t Ht a b Hina Hinb.
  set (xa := actual (map fst la) t a). set (xb := actual (map fst lb) t b).
  assert (A : dot n xa <= ta + norm n * radius va).
  { destruct Ha as [-> | ->]; [apply volume_a | apply volume_b]; assumption. }
  assert (B : dot (vneg n) xb <= tb + norm n * radius vb).
  { rewrite <- (norm_neg n). destruct Hb as [-> | ->]; [apply volume_a | apply volume_b]; assumption. }
  pose proof (dot_le (vneg n) (vsub xa xb)) as D. rewrite norm_neg in D.
  replace (dot (vneg n) (vsub xa xb)) with (- (dot n xa + dot (vneg n) xb)) in D by (unfold dot; simpl; ring).
  apply Rnot_le_lt. intro Hle.
  pose proof (Rmult_le_compat_l (norm n) _ _ (norm_ge0 n) Hle). lra.
Qed.
