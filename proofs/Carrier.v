(* Numbers m * 2^e for coq-interval, as its own StdZRadix2 has them, but with shifts and the count of digits by whole integers instead of
   bit by bit: the extracted checker is several times as fast. *)
From Coq Require Import ZArith Lia.
From Flocq Require Import Core Digits.
From Interval Require Import Basic Generic Generic_proof Specific_sig Specific_stdz.

Lemma shift_is : forall m x, Zpos (shift radix2 m x) = Z.shiftl (Zpos m) (Zpos x).
Proof. intros. rewrite shift_correct, Z.shiftl_mul_pow2 by lia. reflexivity. Qed.

Module Carrier <: FloatCarrier.
  Module S := StdZRadix2.
  Definition radix := radix2.
  Definition smantissa_type := S.smantissa_type.
  Definition mantissa_type := S.mantissa_type.
  Definition exponent_type := S.exponent_type.
  Definition MtoP := S.MtoP.
  Definition PtoM := S.PtoM.
  Definition MtoZ := S.MtoZ.
  Definition ZtoM := S.ZtoM.
  Definition EtoZ := S.EtoZ.
  Definition ZtoE := S.ZtoE.
  Definition valid_mantissa := S.valid_mantissa.
  Definition exponent_zero := S.exponent_zero.
  Definition exponent_one := S.exponent_one.
  Definition mantissa_zero := S.mantissa_zero.
  Definition mantissa_one := S.mantissa_one.
  Definition mantissa_pos := S.mantissa_pos.
  Definition mantissa_neg := S.mantissa_neg.
  Definition exponent_neg := S.exponent_neg.
  Definition exponent_add := S.exponent_add.
  Definition exponent_sub := S.exponent_sub.
  Definition exponent_cmp := S.exponent_cmp.
  Definition exponent_div2_floor := S.exponent_div2_floor.
  Definition mantissa_sign := S.mantissa_sign.
  Definition mantissa_add := S.mantissa_add.
  Definition mantissa_sub := S.mantissa_sub.
  Definition mantissa_mul := S.mantissa_mul.
  Definition mantissa_cmp := S.mantissa_cmp.
  Definition mantissa_even := S.mantissa_even.
  Definition mantissa_scale2 := S.mantissa_scale2.
  Definition mantissa_div := S.mantissa_div.
  Definition mantissa_sqrt := S.mantissa_sqrt.

  Definition power (d : positive) : positive := Z.to_pos (Z.shiftl 1 (Zpos d)).
  Definition mantissa_digits (m : positive) : Z := Z.log2 (Zpos m) + 1.
  Definition mantissa_shl (m : positive) (d : Z) : positive := Z.to_pos (Z.shiftl (Zpos m) d).
  Definition mantissa_shr (m : positive) (d : Z) (k : position) : positive * position :=
    let q := Z.shiftr (Zpos m) d in
    (Z.to_pos q, adjust_pos (Zpos m - Z.shiftl q d) (power (Z.to_pos d)) k).
  Definition mantissa_shrp (m : positive) (d : Z) (k : position) : position := adjust_pos (Zpos m) (power (Z.to_pos d)) k.

  Definition PtoM_correct := S.PtoM_correct.
  Definition ZtoM_correct := S.ZtoM_correct.
  Definition ZtoE_correct := S.ZtoE_correct.
  Definition exponent_zero_correct := S.exponent_zero_correct.
  Definition exponent_one_correct := S.exponent_one_correct.
  Definition exponent_neg_correct := S.exponent_neg_correct.
  Definition exponent_add_correct := S.exponent_add_correct.
  Definition exponent_sub_correct := S.exponent_sub_correct.
  Definition exponent_cmp_correct := S.exponent_cmp_correct.
  Definition exponent_div2_floor_correct := S.exponent_div2_floor_correct.
  Definition mantissa_zero_correct := S.mantissa_zero_correct.
  Definition mantissa_pos_correct := S.mantissa_pos_correct.
  Definition mantissa_neg_correct := S.mantissa_neg_correct.
  Definition mantissa_sign_correct := S.mantissa_sign_correct.
  Definition mantissa_even_correct := S.mantissa_even_correct.
  Definition mantissa_one_correct := S.mantissa_one_correct.
  Definition mantissa_add_correct := S.mantissa_add_correct.
  Definition mantissa_sub_correct := S.mantissa_sub_correct.
  Definition mantissa_mul_correct := S.mantissa_mul_correct.
  Definition mantissa_cmp_correct := S.mantissa_cmp_correct.
  Definition mantissa_scale2_correct := S.mantissa_scale2_correct.
  Definition mantissa_div_correct := S.mantissa_div_correct.
  Definition mantissa_sqrt_correct := S.mantissa_sqrt_correct.

  Lemma power_is : forall x, power x = shift radix 1 x.
  Proof. intros. unfold power. rewrite <- shift_is. reflexivity. Qed.

  Lemma mantissa_digits_correct : forall x, valid_mantissa x -> EtoZ (mantissa_digits x) = Zpos (count_digits radix (MtoP x)).
  Proof.
    intros x _. unfold EtoZ, S.EtoZ, mantissa_digits, MtoP, S.MtoP. rewrite <- digits_conversion. symmetry. apply Zdigits_unique.
    pose proof (Z.log2_spec (Zpos x) ltac:(lia)) as H. replace (Z.log2 (Zpos x) + 1 - 1)%Z with (Z.log2 (Zpos x)) by lia.
    rewrite Z.abs_eq by lia. rewrite <- Z.add_1_r in H. exact H.
  Qed.

  Lemma mantissa_shl_correct : forall x y z, valid_mantissa y -> EtoZ z = Zpos x ->
    MtoP (mantissa_shl y z) = shift radix (MtoP y) x /\ valid_mantissa (mantissa_shl y z).
  Proof.
    intros x y z _ E. unfold EtoZ, S.EtoZ in E. subst z. split; [| exact I].
    unfold mantissa_shl, MtoP, S.MtoP. rewrite <- shift_is. reflexivity.
  Qed.

  Lemma mantissa_shr_correct : forall x y z k, valid_mantissa y -> EtoZ z = Zpos x ->
    (Zpos (shift radix 1 x) <= Zpos (MtoP y))%Z ->
    let (sq, l) := mantissa_shr y z k in
    let (q, r) := Z.div_eucl (Zpos (MtoP y)) (Zpos (shift radix 1 x)) in
    Zpos (MtoP sq) = q /\ l = adjust_pos r (shift radix 1 x) k /\ valid_mantissa sq.
  Proof.
    intros x y z k _ E H. unfold EtoZ, S.EtoZ in E. subst z. unfold mantissa_shr. simpl Z.to_pos. rewrite power_is.
    unfold MtoP, S.MtoP in *.
    assert (P : Zpos (shift radix 1 x) = (2 ^ Zpos x)%Z) by (rewrite shift_is, Z.shiftl_1_l; reflexivity).
    rewrite Z.shiftl_mul_pow2, Z.shiftr_div_pow2, <- P by lia.
    pose proof (Z.div_str_pos (Zpos y) (Zpos (shift radix 1 x)) ltac:(lia)) as Q.
    pose proof (Z.mod_eq (Zpos y) (Zpos (shift radix 1 x)) ltac:(lia)) as M.
    rewrite (Z.mul_comm (Zpos y / _)), <- M. unfold Z.modulo. unfold Z.div in *.
    destruct (Z.div_eucl (Zpos y) (Zpos (shift radix 1 x))) as [q r].
    repeat split. apply Z2Pos.id, Q.
  Qed.

  Lemma mantissa_shrp_correct : forall x y z k, valid_mantissa y -> EtoZ z = Zpos x ->
    (radix ^ (Zpos x - 1) <= Zpos (MtoP y) < Zpos (shift radix 1 x))%Z ->
    let l := mantissa_shrp y z k in l = adjust_pos (Zpos (MtoP y)) (shift radix 1 x) k.
  Proof.
    intros x y z k _ E _. unfold EtoZ, S.EtoZ in E. subst z. unfold mantissa_shrp. simpl Z.to_pos. rewrite power_is. reflexivity.
  Qed.
End Carrier.
