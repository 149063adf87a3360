(* Vectors of three real numbers: what the other files need of dot and cross products, lengths and convex hulls. *)
From Coq Require Import Reals Lra Lia List.
From Coq Require Import Psatz.
Open Scope R_scope.

Record vec := V3 { vx : R; vy : R; vz : R }.

Definition vzero := V3 0 0 0.
Definition vadd a b := V3 (vx a + vx b) (vy a + vy b) (vz a + vz b).
Definition vneg a := V3 (- vx a) (- vy a) (- vz a).
Definition vsub a b := V3 (vx a - vx b) (vy a - vy b) (vz a - vz b).
Definition vscale k a := V3 (k * vx a) (k * vy a) (k * vz a).
Definition dot a b := vx a * vx b + vy a * vy b + vz a * vz b.
Definition cross a b :=
  V3 (vy a * vz b - vz a * vy b) (vz a * vx b - vx a * vz b) (vx a * vy b - vy a * vx b).
Definition norm a := sqrt (dot a a).
Definition mix k a b := vadd (vscale k a) (vscale (1 - k) b).

Lemma vec_eq : forall a b, vx a = vx b -> vy a = vy b -> vz a = vz b -> a = b.
Proof. intros [a1 a2 a3] [b1 b2 b3]; simpl; intros; subst; reflexivity. Qed.

(* Closes an identity between vectors, coordinate by coordinate. *)
Ltac vring := intros; apply vec_eq; simpl; ring.

Lemma dot_self_ge0 : forall a, 0 <= dot a a.
Proof. intros [x y z]; unfold dot; simpl; nra. Qed.

Lemma norm_ge0 : forall a, 0 <= norm a.
Proof. intros; apply sqrt_pos. Qed.

Lemma norm_sqr : forall a, norm a * norm a = dot a a.
Proof. intros; apply sqrt_sqrt, dot_self_ge0. Qed.

Lemma le_by_square : forall a b, 0 <= b -> a * a <= b * b -> a <= b.
Proof. intros a b Hb H. nra. Qed.

Lemma norm_le : forall a k, 0 <= k -> dot a a <= k * k -> norm a <= k.
Proof. intros a k Hk H. apply le_by_square; [exact Hk | rewrite norm_sqr; exact H]. Qed.

Lemma norm_eq : forall a b, dot a a = dot b b -> norm a = norm b.
Proof. intros a b H; unfold norm; rewrite H; reflexivity. Qed.

Lemma norm_zero : norm vzero = 0.
Proof. unfold norm, dot, vzero; simpl. replace (0 * 0 + 0 * 0 + 0 * 0) with 0 by ring. apply sqrt_0. Qed.

(* Lagrange's identity, and with it Cauchy and Schwarz. *)
Lemma lagrange : forall a b, dot (cross a b) (cross a b) + dot a b * dot a b = dot a a * dot b b.
Proof. intros [a1 a2 a3] [b1 b2 b3]; unfold dot, cross; simpl; ring. Qed.

Lemma dot_le : forall a b, dot a b <= norm a * norm b.
Proof.
  intros a b. apply le_by_square.
  - apply Rmult_le_pos; apply norm_ge0.
  - replace (norm a * norm b * (norm a * norm b)) with (norm a * norm a * (norm b * norm b)) by ring.
    rewrite !norm_sqr, <- lagrange. pose proof (dot_self_ge0 (cross a b)). lra.
Qed.

Lemma norm_neg : forall a, norm (vneg a) = norm a.
Proof. intros; apply norm_eq; unfold dot; simpl; ring. Qed.

Lemma norm_scale : forall k a, norm (vscale k a) = Rabs k * norm a.
Proof.
  intros. unfold norm. rewrite <- sqrt_Rsqr_abs. rewrite <- sqrt_mult; [| apply Rle_0_sqr | apply dot_self_ge0].
  f_equal. unfold dot, Rsqr; simpl; ring.
Qed.

Lemma norm_cross : forall a b, norm (cross a b) <= norm a * norm b.
Proof.
  intros a b. apply norm_le.
  - apply Rmult_le_pos; apply norm_ge0.
  - replace (norm a * norm b * (norm a * norm b)) with (norm a * norm a * (norm b * norm b)) by ring.
    rewrite !norm_sqr, <- lagrange. nra.
Qed.

Lemma norm_add : forall a b, norm (vadd a b) <= norm a + norm b.
Proof.
  intros a b. apply norm_le.
  - pose proof (norm_ge0 a); pose proof (norm_ge0 b); lra.
  - replace (dot (vadd a b) (vadd a b)) with (dot a a + 2 * dot a b + dot b b) by (unfold dot; simpl; ring).
    rewrite <- !norm_sqr. pose proof (dot_le a b). lra.
Qed.

Lemma norm_sub : forall a b c, norm (vsub a c) <= norm (vsub a b) + norm (vsub b c).
Proof.
  intros. replace (vsub a c) with (vadd (vsub a b) (vsub b c)) by vring. apply norm_add.
Qed.

Lemma norm_by_sub : forall a b, norm a <= norm b + norm (vsub a b).
Proof. intros. replace a with (vadd b (vsub a b)) at 1 by vring. apply norm_add. Qed.

(* Along any direction points are no farther apart than they are. *)
Lemma dot_shift : forall n a b, dot n a <= dot n b + norm n * norm (vsub a b).
Proof.
  intros. replace (dot n a) with (dot n b + dot n (vsub a b)) by (unfold dot; simpl; ring).
  pose proof (dot_le n (vsub a b)). lra.
Qed.

Lemma dot_mix : forall n k a b, dot n (mix k a b) = k * dot n a + (1 - k) * dot n b.
Proof. intros; unfold dot; simpl; ring. Qed.

(* The convex hull: the least set with these points that has, with two points, all between them. *)
Inductive hull (points : list vec) : vec -> Prop :=
| hull_point : forall c, In c points -> hull points c
| hull_mix : forall k x y, 0 <= k <= 1 -> hull points x -> hull points y -> hull points (mix k x y).

Lemma between : forall k u v l, 0 <= k <= 1 -> u <= l -> v <= l -> k * u + (1 - k) * v <= l.
Proof.
  intros. apply Rle_trans with (k * l + (1 - k) * l); [| lra].
  apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
Qed.

(* A map that keeps means is greatest, along a direction, at a corner. *)
Lemma hull_affine : forall (f : vec -> R) points l,
  (forall k x y, f (mix k x y) = k * f x + (1 - k) * f y) ->
  (forall c, In c points -> f c <= l) -> forall x, hull points x -> f x <= l.
Proof.
  intros f points l Haff Hc x Hx. induction Hx as [c Hin | k x y Hk _ IHx _ IHy]; [auto |].
  rewrite Haff. apply between; assumption.
Qed.

Lemma norm_mix : forall k x y l, 0 <= k <= 1 -> norm x <= l -> norm y <= l -> norm (mix k x y) <= l.
Proof.
  intros k x y l Hk Hx Hy. unfold mix. eapply Rle_trans; [apply norm_add |].
  rewrite !norm_scale, !Rabs_pos_eq by lra. apply between; assumption.
Qed.
