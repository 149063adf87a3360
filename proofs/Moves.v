(* Rigid motions as chains of moves, the exact derivatives of a point that they carry, and the recursion that bounds these:
   MATHS.md T1 (1) and T16; verify.hpp (M). *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Coq Require Import List.
From PlannerCcd Require Import Vectors Taylor.
Open Scope R_scope.

(* ---- moves ------------------------------------------------------------------------------------------------------------ *)

(* A value over time with its first three derivatives. *)
Record curve := Curve {
  c0 : R -> R; c1 : R -> R; c2 : R -> R; c3 : R -> R;
  curve_d0 : forall t, is_derive c0 t (c1 t);
  curve_d1 : forall t, is_derive c1 t (c2 t);
  curve_d2 : forall t, is_derive c2 t (c3 t) }.

(* One factor of a pose (FORMAT.md, Move). A slide and a turn have the stated curve, its tube, and the value that the move
   really has, of which nothing is known but that it is within the tube of the curve. *)
Inductive step :=
| Shift (p : vec)
| Spin (w x y z : R)
| Slide (axis : vec) (c : curve) (tube : R) (a : R -> R)
| Turn (axis : vec) (c : curve) (tube : R) (a : R -> R).

(* Axes and quaternions are not zero; the real value is within the tube. *)
Definition proper (s : step) (t : R) : Prop :=
  match s with
  | Shift _ => True
  | Spin w x y z => w * w + x * x + y * y + z * z <> 0
  | Slide n c d a => dot n n <> 0 /\ Rabs (a t - c0 c t) <= d
  | Turn n c d a => dot n n <> 0 /\ Rabs (a t - c0 c t) <= d
  end.

Definition unit n := vscale (/ norm n) n.

(* Rodrigues' formula, of the sine and the cosine of the angle. *)
Definition rot u s c y := vadd (vadd y (vscale s (cross u y))) (vscale (1 - c) (cross u (cross u y))).

(* q v q* / |q|^2. *)
Definition spin w x y z v :=
  let k := / (w * w + x * x + y * y + z * z) in
  V3 (k * ((w * w + x * x - y * y - z * z) * vx v + 2 * (x * y - w * z) * vy v + 2 * (x * z + w * y) * vz v))
     (k * (2 * (x * y + w * z) * vx v + (w * w - x * x + y * y - z * z) * vy v + 2 * (y * z - w * x) * vz v))
     (k * (2 * (x * z - w * y) * vx v + 2 * (y * z + w * x) * vy v + (w * w - x * x - y * y + z * z) * vz v)).

Definition slide n q x := vadd x (vscale q (unit n)).
Definition turn n q x := rot (unit n) (sin q) (cos q) x.

(* Where a point is before the step, seen from its parent: with the real values, and with the stated ones. *)
Definition act (s : step) (t : R) (x : vec) : vec :=
  match s with
  | Shift p => vadd x p
  | Spin w i j k => spin w i j k x
  | Slide n _ _ a => slide n (a t) x
  | Turn n _ _ a => turn n (a t) x
  end.

Definition nom (s : step) (t : R) (x : vec) : vec :=
  match s with
  | Shift p => vadd x p
  | Spin w i j k => spin w i j k x
  | Slide n c _ _ => slide n (c0 c t) x
  | Turn n c _ _ => turn n (c0 c t) x
  end.

Definition actual (l : list step) t x := fold_right (fun s y => act s t y) x l.
Definition nominal (l : list step) t x := fold_right (fun s y => nom s t y) x l.

Lemma actual_app : forall l k t x, actual (l ++ k) t x = actual l t (actual k t x).
Proof. intros. unfold actual. apply fold_right_app. Qed.

(* ---- they are rigid --------------------------------------------------------------------------------------------------- *)

Lemma dot_unit : forall n, dot n n <> 0 -> dot (unit n) (unit n) = 1.
Proof.
  intros n H. unfold unit. assert (norm n <> 0). { intro E. apply H. rewrite <- norm_sqr, E. ring. }
  replace (dot (vscale (/ norm n) n) (vscale (/ norm n) n)) with (/ norm n * / norm n * dot n n) by (unfold dot; simpl; ring).
  rewrite <- norm_sqr. field. assumption.
Qed.

Lemma norm_unit : forall n, dot n n <> 0 -> norm (unit n) = 1.
Proof. intros. unfold norm. rewrite dot_unit by assumption. apply sqrt_1. Qed.

Lemma norm_cross_unit : forall u x, dot u u = 1 -> norm (cross u x) <= norm x.
Proof.
  intros u x H. pose proof (norm_cross u x). unfold norm at 2 in H0. rewrite H, sqrt_1 in H0. lra.
Qed.

Lemma dot_rot : forall u s c y, dot u u = 1 -> s * s + c * c = 1 -> dot (rot u s c y) (rot u s c y) = dot y y.
Proof.
  intros u s c y Hu Hc.
  assert (E1 : dot (cross u (cross u y)) (cross u (cross u y)) = dot (cross u y) (cross u y)).
  { pose proof (lagrange u (cross u y)). rewrite Hu in H.
    replace (dot u (cross u y)) with 0 in H by (unfold dot, cross; simpl; ring). lra. }
  assert (E2 : dot y (cross u (cross u y)) = - dot (cross u y) (cross u y)) by (unfold dot, cross; simpl; ring).
  replace (dot (rot u s c y) (rot u s c y)) with
    (dot y y + s * s * dot (cross u y) (cross u y) + (1 - c) * (1 - c) * dot (cross u (cross u y)) (cross u (cross u y))
     + 2 * (1 - c) * dot y (cross u (cross u y))) by (unfold rot, dot, cross; simpl; ring).
  rewrite E1, E2. replace (s * s) with (1 - c * c) by lra. ring.
Qed.

Lemma norm_turn : forall n q x, dot n n <> 0 -> norm (turn n q x) = norm x.
Proof.
  intros. apply norm_eq, dot_rot; [apply dot_unit; assumption |]. pose proof (sin2_cos2 q). unfold Rsqr in *. lra.
Qed.

Lemma norm_spin : forall w x y z v, w * w + x * x + y * y + z * z <> 0 -> norm (spin w x y z v) = norm v.
Proof. intros. apply norm_eq. unfold dot, spin; simpl. field. assumption. Qed.

Lemma turn_sub : forall n q x y, turn n q (vsub x y) = vsub (turn n q x) (turn n q y).
Proof. intros. unfold turn, rot. vring. Qed.

Lemma spin_sub : forall w i j k x y, spin w i j k (vsub x y) = vsub (spin w i j k x) (spin w i j k y).
Proof. intros. unfold spin. vring. Qed.

Lemma act_rigid : forall s t x y, proper s t -> norm (vsub (act s t x) (act s t y)) = norm (vsub x y).
Proof.
  intros [p | w i j k | n c d a | n c d a] t x y H; simpl in *.
  - f_equal. vring.
  - rewrite <- spin_sub. apply norm_spin, H.
  - f_equal. unfold slide. vring.
  - rewrite <- turn_sub. apply norm_turn, H.
Qed.

Lemma actual_rigid : forall l t x y, Forall (fun s => proper s t) l ->
  norm (vsub (actual l t x) (actual l t y)) = norm (vsub x y).
Proof.
  intros l t x y H. induction H as [| s l Hs _ IH]; simpl; [reflexivity |]. rewrite act_rigid; assumption.
Qed.

Lemma act_mix : forall s t k x y, act s t (mix k x y) = mix k (act s t x) (act s t y).
Proof. intros [] *; unfold act, slide, turn, rot, spin, mix; vring. Qed.

Lemma actual_mix : forall l t k x y, actual l t (mix k x y) = mix k (actual l t x) (actual l t y).
Proof. induction l; intros; simpl; [reflexivity |]. rewrite IHl, act_mix. reflexivity. Qed.

(* ---- the way back ----------------------------------------------------------------------------------------------------- *)

Definition neg_curve (c : curve) : curve.
Proof.
  refine (Curve (fun t => - c0 c t) (fun t => - c1 c t) (fun t => - c2 c t) (fun t => - c3 c t) _ _ _); intros t.
  - apply (is_derive_opp (c0 c) t (c1 c t)), curve_d0.
  - apply (is_derive_opp (c1 c) t (c2 c t)), curve_d1.
  - apply (is_derive_opp (c2 c) t (c3 c t)), curve_d2.
Defined.

Definition back (s : step) : step :=
  match s with
  | Shift p => Shift (vneg p)
  | Spin w x y z => Spin w (- x) (- y) (- z)
  | Slide n c d a => Slide n (neg_curve c) d (fun t => - a t)
  | Turn n c d a => Turn n (neg_curve c) d (fun t => - a t)
  end.

Definition way_back (l : list step) := rev (map back l).

Lemma back_proper : forall s t, proper s t -> proper (back s) t.
Proof.
  intros [] t H; simpl in *; auto.
  - replace (_ + _) with (w * w + x * x + y * y + z * z) by ring. assumption.
  - split; [apply H |]. replace (- a t - - c0 c t) with (- (a t - c0 c t)) by ring. rewrite Rabs_Ropp. apply H.
  - split; [apply H |]. replace (- a t - - c0 c t) with (- (a t - c0 c t)) by ring. rewrite Rabs_Ropp. apply H.
Qed.

Lemma turn_back : forall n q x, dot n n <> 0 -> turn n (- q) (turn n q x) = x.
Proof.
  intros n q x H. unfold turn. rewrite sin_neg, cos_neg. set (u := unit n). set (s := sin q). set (c := cos q).
  assert (Hu : dot u u = 1) by (apply dot_unit; assumption).
  assert (Hs : s * s = 1 - c * c) by (pose proof (sin2_cos2 q) as E; unfold Rsqr in E; unfold s, c; lra).
  assert (E : forall y, cross u (cross u (cross u y)) = vneg (cross u y)).
  { intros y. transitivity (vscale (- dot u u) (cross u y)); [unfold dot; vring | rewrite Hu; vring]. }
  transitivity (vadd (vadd x (vscale (2 * (1 - c) - s * s) (cross u (cross u x))))
    (vscale ((1 - c) * (1 - c)) (cross u (cross u (cross u (cross u x)))))).
  - unfold rot. vring.
  - rewrite (E (cross u x)), Hs. vring.
Qed.

Lemma spin_back : forall w x y z v, w * w + x * x + y * y + z * z <> 0 -> spin w (- x) (- y) (- z) (spin w x y z v) = v.
Proof.
  intros. assert (w * w + - x * - x + - y * - y + - z * - z <> 0).
  { replace (_ + _) with (w * w + x * x + y * y + z * z) by ring. assumption. }
  apply vec_eq; unfold spin; simpl; field; repeat split; assumption.
Qed.

Lemma act_back : forall s t x, proper s t -> act (back s) t (act s t x) = x.
Proof.
  intros [p | w i j k | n c d a | n c d a] t x H; simpl in *.
  - vring.
  - apply spin_back, H.
  - unfold slide. vring.
  - apply turn_back, H.
Qed.

Lemma way_back_cancels : forall l t x, Forall (fun s => proper s t) l -> actual (way_back l) t (actual l t x) = x.
Proof.
  intros l t x H. induction H as [| s l Hs _ IH]; [reflexivity |]. unfold way_back in *. simpl map. simpl rev.
  rewrite actual_app. simpl actual at 2. simpl actual at 2. rewrite act_back by assumption. exact IH.
Qed.

Lemma way_back_proper : forall l t, Forall (fun s => proper s t) l -> Forall (fun s => proper s t) (way_back l).
Proof.
  intros l t H. unfold way_back. apply Forall_rev. rewrite Forall_map. eapply Forall_impl; [| exact H].
  intros s. apply back_proper.
Qed.

(* Two bodies' distance is seen from B along the moves between them alone: what is above their common ancestor cancels. *)
Theorem seen_from_b : forall above to_a to_b t a b,
  Forall (fun s => proper s t) above -> Forall (fun s => proper s t) to_b ->
  norm (vsub (actual (above ++ to_a) t a) (actual (above ++ to_b) t b)) = norm (vsub (actual (way_back to_b ++ to_a) t a) b).
Proof.
  intros. rewrite !actual_app, actual_rigid by assumption.
  rewrite <- (actual_rigid (way_back to_b) t) by (apply way_back_proper; assumption).
  rewrite way_back_cancels by assumption. reflexivity.
Qed.
