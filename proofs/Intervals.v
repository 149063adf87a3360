(* Intervals of coq-interval (bounds m * 2^e with integers of any size, every operation rounded outwards and proved to enclose), and
   with them the quantities of Moves.v, Bounds.v, Curves.v and Leaf.v. `has i x`: the interval i has the real number x in it.
   Each definition is the interval of what its lemma says. *)
From Coq Require Import Reals Lra Psatz ZArith.
From Interval Require Import Xreal Basic Sig Interval Interval_compl Specific_ops Float_full.
From Coquelicot Require Import Coquelicot.
From Coq Require Import List.
From PlannerCcd Require Import Carrier Vectors Taylor Moves Bounds Curves Leaf Statement.
Import ListNotations.
Open Scope R_scope.

Module F := SpecificFloat Carrier.
Module I := FloatIntervalFull F.
Module J := IntervalExt I.

Definition bits := F.PtoP 96.

Definition has (i : I.type) (x : R) : Prop := contains (I.convert i) (Xreal x).

Definition izero := I.zero.
Definition iint (z : Z) := I.fromZ bits z.
Definition iadd := I.add bits.
Definition isub := I.sub bits.
Definition imul := I.mul bits.
Definition iinv := I.inv bits.
Definition ineg := I.neg.
Definition iabs := I.abs.
Definition isqrt := I.sqrt bits.
Definition isin := I.sin bits.
Definition icos := I.cos bits.
Definition imax (a b : I.type) := I.join a b.
Definition inumber (n : number) := imul (iint (mant n)) (I.power_int bits (iint 2) (expo n)).

Definition negative (i : I.type) : bool := match I.sign_strict i with Xlt => true | _ => false end.
Definition positive (i : I.type) : bool := match I.sign_strict i with Xgt => true | _ => false end.

Lemma has_zero : has izero 0. Proof. apply J.zero_correct. Qed.
Lemma has_int : forall z, has (iint z) (IZR z). Proof. intros. apply I.fromZ_correct. Qed.
Lemma has_add : forall a b x y, has a x -> has b y -> has (iadd a b) (x + y). Proof. intros. apply J.add_correct; assumption. Qed.
Lemma has_sub : forall a b x y, has a x -> has b y -> has (isub a b) (x - y). Proof. intros. apply J.sub_correct; assumption. Qed.
Lemma has_mul : forall a b x y, has a x -> has b y -> has (imul a b) (x * y). Proof. intros. apply J.mul_correct; assumption. Qed.
Lemma has_inv : forall a x, has a x -> has (iinv a) (/ x). Proof. intros. apply (J.inv_correct bits); assumption. Qed.
Lemma has_neg : forall a x, has a x -> has (ineg a) (- x). Proof. intros. apply J.neg_correct; assumption. Qed.
Lemma has_abs : forall a x, has a x -> has (iabs a) (Rabs x). Proof. intros. apply J.abs_correct; assumption. Qed.
Lemma has_sqrt : forall a x, has a x -> has (isqrt a) (sqrt x). Proof. intros. apply J.sqrt_correct; assumption. Qed.
Lemma has_sin : forall a x, has a x -> has (isin a) (sin x). Proof. intros. apply J.sin_correct; assumption. Qed.
Lemma has_cos : forall a x, has a x -> has (icos a) (cos x). Proof. intros. apply J.cos_correct; assumption. Qed.

Lemma has_max : forall a b x y, has a x -> has b y -> has (imax a b) (Rmax x y).
Proof.
  intros. apply I.join_correct. unfold Rmax. destruct (Rle_dec x y); [right | left]; assumption.
Qed.

Lemma has_number : forall n, has (inumber n) (real n).
Proof. intros. apply has_mul; [apply has_int |]. apply (J.power_int_correct bits (expo n)), has_int. Qed.

Lemma negative_correct : forall i x, negative i = true -> has i x -> x < 0.
Proof.
  intros i x H Hx. unfold negative in H. pose proof (I.sign_strict_correct i) as C. destruct (I.sign_strict i); try discriminate.
  apply (C _ Hx).
Qed.

Lemma positive_correct : forall i x, positive i = true -> has i x -> 0 < x.
Proof.
  intros i x H Hx. unfold positive in H. pose proof (I.sign_strict_correct i) as C. destruct (I.sign_strict i); try discriminate.
  apply (C _ Hx).
Qed.

Lemma has_eq : forall i x y, x = y -> has i x -> has i y.
Proof. intros; subst; assumption. Qed.

Global Opaque has iadd isub imul iinv ineg iabs isqrt isin icos imax inumber iint izero.
Create HintDb has.
Global Hint Resolve has_zero has_int has_add has_sub has_mul has_inv has_neg has_abs has_sqrt has_sin has_cos has_max has_number : has.

(* ---- vectors ---------------------------------------------------------------------------------------------------------- *)

Record ivec := IV { ix : I.type; iy : I.type; iz : I.type }.

Definition has_v (a : ivec) (v : vec) : Prop := has (ix a) (vx v) /\ has (iy a) (vy v) /\ has (iz a) (vz v).

Definition ivzero := IV izero izero izero.
Definition ivadd a b := IV (iadd (ix a) (ix b)) (iadd (iy a) (iy b)) (iadd (iz a) (iz b)).
Definition ivsub a b := IV (isub (ix a) (ix b)) (isub (iy a) (iy b)) (isub (iz a) (iz b)).
Definition ivneg a := IV (ineg (ix a)) (ineg (iy a)) (ineg (iz a)).
Definition ivscale k a := IV (imul k (ix a)) (imul k (iy a)) (imul k (iz a)).
Definition idot a b := iadd (iadd (imul (ix a) (ix b)) (imul (iy a) (iy b))) (imul (iz a) (iz b)).
Definition icross a b :=
  IV (isub (imul (iy a) (iz b)) (imul (iz a) (iy b))) (isub (imul (iz a) (ix b)) (imul (ix a) (iz b)))
     (isub (imul (ix a) (iy b)) (imul (iy a) (ix b))).
Definition inorm a := isqrt (idot a a).
Definition iunit n := ivscale (iinv (inorm n)) n.
Definition ipoint (p : triple) := IV (inumber (tx p)) (inumber (ty p)) (inumber (tz p)).

Ltac vector := intros; repeat match goal with H : has_v _ _ |- _ => destruct H as (? & ? & ?) end;
  split; [| split]; simpl; auto 20 with has.

Lemma has_vzero : has_v ivzero vzero. Proof. vector. Qed.
Lemma has_vadd : forall a b x y, has_v a x -> has_v b y -> has_v (ivadd a b) (vadd x y). Proof. vector. Qed.
Lemma has_vsub : forall a b x y, has_v a x -> has_v b y -> has_v (ivsub a b) (vsub x y). Proof. vector. Qed.
Lemma has_vneg : forall a x, has_v a x -> has_v (ivneg a) (vneg x). Proof. vector. Qed.
Lemma has_vscale : forall k a l x, has k l -> has_v a x -> has_v (ivscale k a) (vscale l x). Proof. vector. Qed.
Lemma has_dot : forall a b x y, has_v a x -> has_v b y -> has (idot a b) (dot x y).
Proof. intros a b x y (? & ? & ?) (? & ? & ?). unfold idot, dot. auto 20 with has. Qed.
Lemma has_cross : forall a b x y, has_v a x -> has_v b y -> has_v (icross a b) (cross x y). Proof. vector. Qed.
Lemma has_norm : forall a x, has_v a x -> has (inorm a) (norm x).
Proof. intros. apply has_sqrt, has_dot; assumption. Qed.
Lemma has_unit : forall a x, has_v a x -> has_v (iunit a) (unit x).
Proof. intros. apply has_vscale; [apply has_inv, has_norm |]; assumption. Qed.
Lemma has_point : forall p, has_v (ipoint p) (point p). Proof. vector. Qed.

Global Hint Resolve has_vzero has_vadd has_vsub has_vneg has_vscale has_dot has_cross has_norm has_unit has_point : has.

(* ---- polynomials ------------------------------------------------------------------------------------------------------ *)

Definition has_l (a : list I.type) (p : list R) : Prop := Forall2 has a p.

Fixpoint ivalue (p : list I.type) t := match p with [] => izero | c :: q => iadd c (imul t (ivalue q t)) end.
Fixpoint isum (p q : list I.type) :=
  match p, q with
  | [], _ => q
  | _, [] => p
  | a :: p', b :: q' => iadd a b :: isum p' q'
  end.
Definition iscaled k p := map (imul k) p.
Fixpoint islope (p : list I.type) := match p with [] => [] | _ :: q => isum q (izero :: islope q) end.
Fixpoint iabout m (p : list I.type) :=
  match p with [] => [] | c :: q => isum [c] (isum (iscaled m (iabout m q)) (izero :: iabout m q)) end.
Definition isize_within p h := ivalue (map iabs p) h.

Lemma has_value : forall p q t u, has_l p q -> has t u -> has (ivalue p t) (value q u).
Proof. intros p q t u H Ht. induction H; simpl; auto with has. Qed.

Lemma has_sum : forall a p, has_l a p -> forall b q, has_l b q -> has_l (isum a b) (sum p q).
Proof.
  intros a p H. induction H as [| x y a p Hx H IH]; intros b q Hb; [exact Hb |].
  destruct Hb as [| z w b q Hz Hb]; simpl; constructor; auto with has. apply IH, Hb.
Qed.

Lemma has_scaled : forall k l a p, has k l -> has_l a p -> has_l (iscaled k a) (scaled l p).
Proof. intros k l a p Hk H. induction H; constructor; auto with has. Qed.

Lemma has_slope : forall a p, has_l a p -> has_l (islope a) (slope p).
Proof.
  intros a p H. induction H as [| x y a p Hx H IH]; [constructor |].
  change (has_l (isum a (izero :: islope a)) (sum p (0 :: slope p))). apply has_sum; [assumption | constructor; auto with has].
Qed.

Lemma has_about : forall m k a p, has m k -> has_l a p -> has_l (iabout m a) (about k p).
Proof.
  intros m k a p Hm H. induction H as [| x y a p Hx H IH]; [constructor |].
  change (has_l (isum [x] (isum (iscaled m (iabout m a)) (izero :: iabout m a)))
    (sum [y] (sum (scaled k (about k p)) (0 :: about k p)))).
  apply has_sum; [constructor; [assumption | constructor] |].
  apply has_sum; [apply has_scaled; assumption | constructor; auto with has].
Qed.

Lemma has_size : forall a p h k, has_l a p -> has h k -> has (isize_within a h) (size_within p k).
Proof. intros. apply has_value; [| assumption]. induction H; constructor; auto with has. Qed.

Lemma has_numbers : forall l, has_l (map inumber l) (map real l).
Proof. induction l; constructor; auto with has. Qed.

Definition istated (sg : segment) (mv : move) : list I.type :=
  match on mv with
  | None => [inumber (offset mv)]
  | Some k => isum [inumber (offset mv)]
      (iscaled (inumber (multiplier mv)) (map inumber (coefficients (nth k (curves sg) (Polynomial [] (Num 0 0))))))
  end.

Definition itube (sg : segment) (mv : move) : I.type :=
  match on mv with
  | None => izero
  | Some k => imul (iabs (inumber (multiplier mv))) (inumber (tube_of (nth k (curves sg) (Polynomial [] (Num 0 0)))))
  end.

Lemma has_stated : forall sg mv, has_l (istated sg mv) (stated sg mv).
Proof.
  intros. unfold istated, stated. destruct (on mv); [apply has_sum; [| apply has_scaled; [| apply has_numbers]] |];
    repeat constructor; auto with has.
Qed.

Lemma has_tube : forall sg mv, has (itube sg mv) (tube sg mv).
Proof. intros. unfold itube, tube. destruct (on mv); auto with has. Qed.

(* ---- steps, looked at about the instant m ------------------------------------------------------------------------------- *)

(* The value with two derivatives at m, and its rates over the interval. *)
Record ivalues := IVals { i0 : I.type; i1 : I.type; i2 : I.type; w0 : I.type; w1 : I.type; w2 : I.type; w3 : I.type; wide : I.type }.

Definition has_curve (a : ivalues) (c : curve) (r : rates) (d m : R) : Prop :=
  (has (i0 a) (c0 c m) /\ has (i1 a) (c1 c m) /\ has (i2 a) (c2 c m)) /\
  (has (w0 a) (r0 r) /\ has (w1 a) (r1 r) /\ has (w2 a) (r2 r) /\ has (w3 a) (r3 r)) /\ has (wide a) d.

Inductive istep :=
| IShift (p : ivec)
| ISpin (a b c : ivec)
| ISlide (u : ivec) (q : ivalues)
| ITurn (u : ivec) (s c : I.type) (q : ivalues).

Definition over w x y z := / (w * w + x * x + y * y + z * z).
Definition row1 w x y z := vscale (over w x y z) (V3 (w * w + x * x - y * y - z * z) (2 * (x * y - w * z)) (2 * (x * z + w * y))).
Definition row2 w x y z := vscale (over w x y z) (V3 (2 * (x * y + w * z)) (w * w - x * x + y * y - z * z) (2 * (y * z - w * x))).
Definition row3 w x y z := vscale (over w x y z) (V3 (2 * (x * z - w * y)) (2 * (y * z + w * x)) (w * w - x * x - y * y + z * z)).

Definition has_step (m : R) (is : istep) (s : step) (r : rates) : Prop :=
  match is, s with
  | IShift p, Shift v => has_v p v
  | ISpin a b c, Spin w x y z => has_v a (row1 w x y z) /\ has_v b (row2 w x y z) /\ has_v c (row3 w x y z)
  | ISlide u q, Slide n c d _ => has_v u (unit n) /\ has_curve q c r d m
  | ITurn u s' c' q, Turn n c d _ => has_v u (unit n) /\ (has s' (sin (c0 c m)) /\ has c' (cos (c0 c m))) /\ has_curve q c r d m
  | _, _ => False
  end.

(* Steps made from the file's numbers, and the way back through one. *)
Definition itwo_sum w x y z := iadd (iadd (iadd (imul w w) (imul x x)) (imul y y)) (imul z z).
Definition ispin_of (q : quaternion) : istep :=
  let w := inumber (qw q) in let x := inumber (qx q) in let y := inumber (qy q) in let z := inumber (qz q) in
  let k := iinv (itwo_sum w x y z) in
  let ww := imul w w in let xx := imul x x in let yy := imul y y in let zz := imul z z in
  let two a := imul (iint 2) a in
  ISpin (ivscale k (IV (isub (isub (iadd ww xx) yy) zz) (two (isub (imul x y) (imul w z))) (two (iadd (imul x z) (imul w y)))))
        (ivscale k (IV (two (iadd (imul x y) (imul w z))) (isub (iadd (isub ww xx) yy) zz) (two (isub (imul y z) (imul w x)))))
        (ivscale k (IV (two (isub (imul x z) (imul w y))) (two (iadd (imul y z) (imul w x))) (iadd (isub (isub ww xx) yy) zz))).

Definition icurve (p : list I.type) (d m h : I.type) : ivalues :=
  let q := iabout m p in let q1 := islope q in let q2 := islope q1 in let q3 := islope q2 in
  let p1 := islope p in
  IVals (ivalue p m) (ivalue p1 m) (ivalue (islope p1) m) (isize_within q h) (isize_within q1 h) (isize_within q2 h) (isize_within q3 h) d.

Definition iturn_of (n : triple) (q : ivalues) : istep := ITurn (iunit (ipoint n)) (isin (i0 q)) (icos (i0 q)) q.

Definition imove_steps (sg : segment) (m h : I.type) (mv : move) : list istep :=
  let q := icurve (istated sg mv) (itube sg mv) m h in
  match kind_of mv with
  | Translation n => [ISlide (iunit (ipoint n)) q]
  | Rotation n => [iturn_of n q]
  | Turning t => let (n, s) := nth t (turns sg) no_turn in [iturn_of n q; ispin_of s]
  end.

Definition iback_values q := IVals (ineg (i0 q)) (ineg (i1 q)) (ineg (i2 q)) (w0 q) (w1 q) (w2 q) (w3 q) (wide q).

Definition iback (s : istep) : istep :=
  match s with
  | IShift p => IShift (ivneg p)
  | ISpin a b c => ISpin (IV (ix a) (ix b) (ix c)) (IV (iy a) (iy b) (iy c)) (IV (iz a) (iz b) (iz c))
  | ISlide u q => ISlide u (iback_values q)
  | ITurn u s c q => ITurn u (ineg s) c (iback_values q)
  end.

Definition good (m h : R) (is : istep) (s : step) : Prop :=
  exists r, has_step m is s r /\ forall t, m - h <= t <= m + h -> step_within s r t.

Lemma good_spin : forall m h q, good m h (ispin_of q) (spin_of q).
Proof.
  intros. exists (Rates 0 0 0 0). split; [| intros; constructor]. simpl.
  assert (K : has (iinv (itwo_sum (inumber (qw q)) (inumber (qx q)) (inumber (qy q)) (inumber (qz q))))
    (over (real (qw q)) (real (qx q)) (real (qy q)) (real (qz q)))) by (unfold itwo_sum, over; auto 20 with has).
  repeat split; simpl; apply has_mul; auto 20 with has.
Qed.

Lemma good_curve : forall sg mv im ih m h, has im m -> has ih h ->
  has_curve (icurve (istated sg mv) (itube sg mv) im ih) (poly (stated sg mv)) (poly_rates (stated sg mv) m h) (tube sg mv) m.
Proof.
  intros sg mv im ih m h Hm Hh. pose proof (has_stated sg mv) as S.
  assert (A := has_about _ _ _ _ Hm S). assert (A1 := has_slope _ _ A). assert (A2 := has_slope _ _ A1). assert (A3 := has_slope _ _ A2).
  assert (S1 := has_slope _ _ S). assert (S2 := has_slope _ _ S1).
  unfold icurve, has_curve; simpl. repeat split; try (apply has_value; assumption); try (apply has_size; assumption). apply has_tube.
Qed.

Lemma good_back : forall m h is s, good m h is s -> good m h (iback is) (back s).
Proof.
  intros m h is s (r & H & W). exists r. split.
  - destruct is, s; simpl in H |- *; try contradiction; auto with has.
    + destruct H as ((A1 & A2 & A3) & (B1 & B2 & B3) & (C1 & C2 & C3)).
      unfold row1, row2, row3, over in *; simpl in *.
      repeat split; simpl; (eapply has_eq; [| eassumption]); f_equal; try ring; f_equal; ring.
    + destruct H as (U & (Q0 & Q1 & Q2) & Q). repeat split; try apply U; try apply Q; simpl; auto with has.
    + destruct H as (U & (S & C) & (Q0 & Q1 & Q2) & Q). rewrite sin_neg, cos_neg.
      repeat split; try apply U; try apply Q; simpl; auto with has.
  - intros t Ht. specialize (W t Ht). destruct s; simpl in *; auto; unfold within in *; simpl; rewrite !Rabs_Ropp; assumption.
Qed.

Lemma good_move : forall sg v i k mv im ih m h, has im m -> has ih h ->
  Forall2 (good m h) (imove_steps sg im ih mv) (move_steps sg v i k mv).
Proof.
  intros. pose proof (good_curve sg mv im ih m h H H0) as C.
  assert (T : forall n, good m h (iturn_of n (icurve (istated sg mv) (itube sg mv) im ih))
    (Turn (point n) (poly (stated sg mv)) (tube sg mv) (v i k))).
  { intros n. exists (poly_rates (stated sg mv) m h). split; [| intros; apply poly_within; assumption].
    destruct C as ((Q0 & Q1 & Q2) & Q). repeat split; try apply Q; simpl; auto with has; apply has_unit, has_point. }
  unfold imove_steps, move_steps. destruct (kind_of mv) as [n | n | t].
  - repeat constructor. exists (poly_rates (stated sg mv) m h). split; [| intros; apply poly_within; assumption].
    split; [auto with has | exact C].
  - repeat constructor. apply T.
  - destruct (nth t (turns sg) no_turn) as [n q]. repeat constructor; [apply T | apply good_spin].
Qed.
