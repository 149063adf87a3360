(* Volumes that hold their primitives (FORMAT.md, Volumes; `check_volume` in verify.py). *)
From Coq Require Import Reals Lra Psatz ZArith Lia.
From Interval Require Import Xreal Interval.
From Coquelicot Require Import Coquelicot.
From Coq Require Import List.
From PlannerCcd Require Import Vectors Taylor Moves Bounds Curves Leaf Statement Intervals LeafCheck.
Import ListNotations.
Open Scope R_scope.

(* ---- corners of a generator: base + s edge0 + t edge1, s, t in [0, 1] ------------------------------------------------------- *)

Fixpoint edge_corners (base : vec) (edges : list vec) : list vec :=
  match edges with [] => [base] | e :: rest => let l := edge_corners base rest in l ++ map (vadd e) l end.

Fixpoint edge_point (base : vec) (shares : list (R * vec)) : vec :=
  match shares with [] => base | (s, e) :: rest => vadd (vscale s e) (edge_point base rest) end.

Lemma hull_more : forall l k x, incl l k -> hull l x -> hull k x.
Proof. intros l k x H Hx. induction Hx; [apply hull_point, H; assumption | apply hull_mix; assumption]. Qed.

Lemma hull_moved : forall e l x, hull l x -> hull (map (vadd e) l) (vadd e x).
Proof.
  intros e l x H. induction H as [c Hc | k x y Hk _ IHx _ IHy].
  - apply hull_point, in_map, Hc.
  - replace (vadd e (mix k x y)) with (mix k (vadd e x) (vadd e y)) by (unfold mix; vring). apply hull_mix; assumption.
Qed.

Lemma edge_point_in : forall base shares, Forall (fun se => 0 <= fst se <= 1) shares ->
  hull (edge_corners base (map snd shares)) (edge_point base shares).
Proof.
  intros base shares H. induction H as [| [s e] l Hs _ IH]; [apply hull_point; left; reflexivity |].
  simpl in *. set (x := edge_point base l) in *.
  replace (vadd (vscale s e) x) with (mix (1 - s) x (vadd e x)) by (unfold mix; vring).
  apply hull_mix; [lra | |].
  - eapply hull_more; [| exact IH]. intros y Hy. apply in_or_app. left. exact Hy.
  - eapply hull_more; [| apply hull_moved, IH]. intros y Hy. apply in_or_app. right. exact Hy.
Qed.

(* ---- what is needed of vertices ---------------------------------------------------------------------------------------------- *)

Lemma near_hull : forall cs vs d, (forall v, In v vs -> exists g, hull cs g /\ norm (vsub v g) <= d) ->
  forall y, hull vs y -> exists g, hull cs g /\ norm (vsub y g) <= d.
Proof.
  intros cs vs d H y Hy. induction Hy as [c Hc | k x y Hk _ (g & Hg & Dg) _ (g' & Hg' & Dg')]; [auto |].
  exists (mix k g g'). split; [apply hull_mix; assumption |].
  replace (vsub (mix k x y) (mix k g g')) with (mix k (vsub x g) (vsub y g')) by (unfold mix; vring).
  apply norm_mix; assumption.
Qed.

Lemma triangle_inside : forall cs r s vs, (forall v, In v vs -> exists g, hull cs g /\ norm (vsub v g) + s <= r) ->
  forall x y, hull vs y -> norm (vsub x y) <= s -> inside (Volume cs r) x.
Proof.
  intros cs r s vs H x y Hy Hx. destruct (near_hull cs vs (r - s)) with (y := y) as (g & Hg & D); [| assumption |].
  - intros v Hv. destruct (H v Hv) as (g & Hg & D). exists g. split; [assumption | lra].
  - exists g. split; [assumption |]. simpl. pose proof (norm_sub x y g). lra.
Qed.

(* A disc of radius s about a point that is `off` from the generator, across the unit axis d. *)
Definition disc_needs off d s := sqrt (dot off d * dot off d + (sqrt (dot off off - dot off d * dot off d) + s) * (sqrt (dot off off - dot off d * dot off d) + s)).

Lemma disc_within : forall off d s u, dot d d = 1 -> dot u d = 0 -> norm u <= s -> norm (vadd off u) <= disc_needs off d s.
Proof.
  intros off d s u Hd Hu Hs. unfold disc_needs. set (a := dot off d).
  set (across := vsub off (vscale a d)).
  assert (E : dot off off - a * a = dot across across).
  { replace (dot across across) with (dot off off - 2 * a * dot off d + a * a * dot d d) by (unfold across, dot; simpl; ring).
    rewrite Hd. fold a. ring. }
  rewrite E. fold (norm across). apply sqrt_le_1; [apply dot_self_ge0 | |].
  - pose proof (Rle_0_sqr a). pose proof (Rle_0_sqr (norm across + s)). unfold Rsqr in *. lra.
  - replace (dot (vadd off u) (vadd off u)) with (dot off off + 2 * dot off u + dot u u) by (unfold dot; simpl; ring).
    replace (dot off u) with (dot across u + a * dot u d) by (unfold across, dot; simpl; ring).
    rewrite Hu. replace (dot off off) with (a * a + norm across * norm across) by (rewrite norm_sqr; lra).
    rewrite <- (norm_sqr u). pose proof (dot_le across u).
    pose proof (norm_ge0 u). pose proof (norm_ge0 across).
    assert (norm across * norm u <= norm across * s) by (apply Rmult_le_compat_l; assumption).
    assert (norm u * norm u <= s * s) by (apply Rmult_le_compat; assumption). lra.
Qed.

Lemma cylinder_inside : forall cs r s va vb, dot (vsub vb va) (vsub vb va) <> 0 ->
  (forall v, In v [va; vb] -> exists g, hull cs g /\ disc_needs (vsub v g) (unit (vsub vb va)) s <= r) ->
  forall k u, 0 <= k <= 1 -> dot u (vsub vb va) = 0 -> norm u <= s -> inside (Volume cs r) (vadd (mix k va vb) u).
Proof.
  intros cs r s va vb Hn H k u Hk Hu Hs.
  destruct (H va ltac:(simpl; auto)) as (ga & Ga & Da). destruct (H vb ltac:(simpl; auto)) as (gb & Gb & Db).
  assert (Hd : dot (unit (vsub vb va)) (unit (vsub vb va)) = 1) by (apply dot_unit; assumption).
  assert (Hud : dot u (unit (vsub vb va)) = 0).
  { unfold unit. replace (dot u (vscale (/ norm (vsub vb va)) (vsub vb va))) with (/ norm (vsub vb va) * dot u (vsub vb va))
      by (unfold dot; simpl; ring). rewrite Hu. ring. }
  exists (mix k ga gb). split; [apply hull_mix; assumption |]. simpl.
  replace (vsub (vadd (mix k va vb) u) (mix k ga gb)) with (mix k (vadd (vsub va ga) u) (vadd (vsub vb gb) u))
    by (unfold mix; vring).
  apply norm_mix; [assumption | |]; (eapply Rle_trans; [apply disc_within; eassumption | assumption]).
Qed.

(* A cylinder lies within its radius of its axis: what stands for it where it is a volume itself. *)
Lemma cylinder_capsule : forall va vb s k u, 0 <= k <= 1 -> norm u <= s -> inside (Volume [va; vb] s) (vadd (mix k va vb) u).
Proof.
  intros. exists (mix k va vb). split; [apply hull_mix; auto; apply hull_point; simpl; auto |]. simpl.
  replace (vsub (vadd (mix k va vb) u) (mix k va vb)) with u by vring. assumption.
Qed.

(* ---- the check --------------------------------------------------------------------------------------------------------------- *)

Inductive generator :=
| Edges (base : triple) (edges : list triple) (r : number)
| Itself.

(* A guess of how far along an edge the nearest point lies, in [0, 1]: any would do. *)
Definition scale := 40%Z.
Definition add_number (a b : number) : number :=
  let e := Z.min (expo a) (expo b) in
  Num (Z.shiftl (mant a) (expo a - e) + Z.shiftl (mant b) (expo b - e)) e.
Definition mul_number (a b : number) : number := Num (mant a * mant b) (expo a + expo b).
Definition sub_number (a b : number) : number := add_number a (Num (- mant b) (expo b)).
Definition sub_triple a b := Triple (sub_number (tx a) (tx b)) (sub_number (ty a) (ty b)) (sub_number (tz a) (tz b)).
Definition dot_triple a b :=
  add_number (add_number (mul_number (tx a) (tx b)) (mul_number (ty a) (ty b))) (mul_number (tz a) (tz b)).

Definition share (from_base edge : triple) : number :=
  let d := dot_triple from_base edge in
  let q := dot_triple edge edge in
  let k := (Z.shiftl (mant d) (expo d - expo q + scale) / mant q)%Z in
  Num (Z.max 0 (Z.min k (2 ^ scale))) (- scale).

Lemma share_between : forall a e, 0 <= real (share a e) <= 1.
Proof.
  intros. unfold share, real; simpl.
  set (k := Z.max 0 _). assert (Hk : (0 <= k <= 2 ^ scale)%Z) by (unfold k, scale; lia).
  unfold scale in *. destruct Hk as [K0 K1]. apply IZR_le in K0, K1.
  replace (IZR (2 ^ 40)) with (2 ^ 40) in K1 by (simpl; lra).
  set (p := powerRZ 2 (- (40))). assert (P : 0 < p) by (apply powerRZ_lt; lra).
  assert (E : 2 ^ 40 * p = 1) by (unfold p; simpl; field).
  split; [apply Rmult_le_pos; lra |].
  apply Rle_trans with (2 ^ 40 * p); [apply Rmult_le_compat_r; lra | right; exact E].
Qed.

Definition ioffset (v base : triple) (edges : list triple) : ivec :=
  let from_base := sub_triple v base in
  ivsub (ipoint v) (fold_right (fun e x => ivadd (ivscale (inumber (share from_base e)) (ipoint e)) x) (ipoint base) edges).

Definition shares (v base : triple) (edges : list triple) : list (R * vec) :=
  map (fun e => (real (share (sub_triple v base) e), point e)) edges.

Lemma has_offset : forall v base edges,
  has_v (ioffset v base edges) (vsub (point v) (edge_point (point base) (shares v base edges))).
Proof.
  intros. apply has_vsub; [apply has_point |]. unfold shares. set (f := sub_triple v base). clearbody f.
  induction edges; simpl; auto with has.
Qed.

Definition nonpositive (i : I.type) : bool := match I.sign_large i with Xlt | Xeq => true | _ => false end.

Lemma nonpositive_correct : forall i x, nonpositive i = true -> has i x -> x <= 0.
Proof.
  intros i x H Hx. unfold nonpositive in H. pose proof (I.sign_large_correct i) as C.
  destruct (I.sign_large i); try discriminate.
  - specialize (C _ Hx). inversion C. lra.
  - apply (C _ Hx).
Qed.

Definition ball_held base edges r v s := nonpositive (isub (iadd (inorm (ioffset v base edges)) (inumber s)) (inumber r)).

Definition disc_held base edges r axis v s :=
  let off := ioffset v base edges in
  let a := idot off axis in
  let aa := imul a a in
  let c := iadd (isqrt (isub (idot off off) aa)) (inumber s) in
  nonpositive (isub (isqrt (iadd aa (imul c c))) (inumber r)).

Definition held base edges r (p : primitive) : bool :=
  match p with
  | Triangle a b c s => ball_held base edges r a s && ball_held base edges r b s && ball_held base edges r c s
  | Cylinder a b s => let d := ivsub (ipoint b) (ipoint a) in
      positive (idot d d) && disc_held base edges r (iunit d) a s && disc_held base edges r (iunit d) b s
  end.

Lemma shares_edges : forall v base edges, map snd (shares v base edges) = map point edges.
Proof. intros. unfold shares. rewrite map_map. reflexivity. Qed.

Lemma nearest_in : forall v base edges,
  hull (edge_corners (point base) (map point edges)) (edge_point (point base) (shares v base edges)).
Proof.
  intros. rewrite <- (shares_edges v base edges). apply edge_point_in. unfold shares. rewrite Forall_map.
  rewrite Forall_forall. intros. simpl. apply share_between.
Qed.

Lemma ball_held_correct : forall base edges r v s, ball_held base edges r v s = true ->
  exists g, hull (edge_corners (point base) (map point edges)) g /\ norm (vsub (point v) g) + real s <= real r.
Proof.
  intros base edges r v s H. eexists. split; [apply (nearest_in v) |].
  eapply nonpositive_correct in H; [| apply has_sub; [apply has_add |]; [apply has_norm, has_offset | |]; apply has_number]. lra.
Qed.

Lemma disc_held_correct : forall base edges r ia axis v s, has_v ia axis -> disc_held base edges r ia v s = true ->
  exists g, hull (edge_corners (point base) (map point edges)) g /\ disc_needs (vsub (point v) g) axis (real s) <= real r.
Proof.
  intros base edges r ia axis v s Ha H. eexists. split; [apply (nearest_in v) |].
  pose proof (has_offset v base edges) as O. set (off := vsub _ _) in *.
  cut (disc_needs off axis (real s) - real r <= 0); [lra |]. eapply nonpositive_correct; [exact H |].
  unfold disc_needs. auto 20 with has.
Qed.

Lemma held_correct : forall base edges r p, held base edges r p = true -> forall x, in_primitive p x ->
  inside (Volume (edge_corners (point base) (map point edges)) (real r)) x.
Proof.
  intros base edges r [a b c s | a b s] H x Hx; simpl in H, Hx.
  - apply andb_prop in H. destruct H as [H H3]. apply andb_prop in H. destruct H as [H1 H2].
    destruct Hx as (y & Hy & Hx). eapply triangle_inside; [| exact Hy | exact Hx].
    intros v [<- | [<- | [<- | []]]]; apply ball_held_correct; assumption.
  - apply andb_prop in H. destruct H as [H H3]. apply andb_prop in H. destruct H as [H1 H2].
    destruct Hx as (k & u & Hk & -> & Hu & Hs). apply cylinder_inside with (real s); try assumption.
    + eapply positive_correct in H1; [| apply has_dot; apply has_vsub; apply has_point]. lra.
    + intros v [<- | [<- | []]]; (eapply disc_held_correct; [| eassumption]); auto with has.
Qed.

(* ---- a collider's volumes, looked at once ---------------------------------------------------------------------------------------- *)

Inductive vtree :=
| VLeaf (g : generator) (ps : list primitive)
| VSplit (g : generator) (l r : vtree).

Inductive node :=
| NLeaf (ok : bool) (v : ivolume) (ps : list primitive)
| NSplit (ok : bool) (v : ivolume) (l r : node).

Fixpoint all_of (n : node) : list primitive := match n with NLeaf _ _ ps => ps | NSplit _ _ l r => all_of l ++ all_of r end.
Definition ok_of n := match n with NLeaf ok _ _ | NSplit ok _ _ _ => ok end.
Definition volume_of n := match n with NLeaf _ v _ | NSplit _ v _ _ => v end.

Fixpoint iedge_corners (base : ivec) (edges : list ivec) : list ivec :=
  match edges with [] => [base] | e :: rest => let l := iedge_corners base rest in l ++ map (ivadd e) l end.

Definition no_volume := IVolume [] izero.

Definition look (g : generator) (ps : list primitive) : bool * ivolume :=
  match g, ps with
  | Edges base edges r, _ => (forallb (held base edges r) ps, IVolume (iedge_corners (ipoint base) (map ipoint edges)) (inumber r))
  | Itself, [Triangle a b c r] => (true, IVolume [ipoint a; ipoint b; ipoint c] (inumber r))
  | Itself, [Cylinder a b r] => (true, IVolume [ipoint a; ipoint b] (inumber r))
  | Itself, _ => (false, no_volume)
  end.

Fixpoint look_all (t : vtree) : node :=
  match t with
  | VLeaf g ps => let (ok, v) := look g ps in NLeaf ok v ps
  | VSplit g l r =>
    let l' := look_all l in let r' := look_all r in
    let (ok, v) := look g (all_of l' ++ all_of r') in NSplit ok v l' r'
  end.

Definition covers (iv : ivolume) (ps : list primitive) : Prop :=
  exists v, has_volume iv v /\ forall p x, In p ps -> in_primitive p x -> inside v x.

Fixpoint sound_node (n : node) : Prop :=
  (ok_of n = true -> covers (volume_of n) (all_of n)) /\
  match n with NLeaf _ _ _ => True | NSplit _ _ l r => sound_node l /\ sound_node r end.

Lemma has_edge_corners : forall ib b ie e, has_v ib b -> Forall2 has_v ie e -> Forall2 has_v (iedge_corners ib ie) (edge_corners b e).
Proof.
  intros ib b ie e Hb H. induction H as [| x y ie e Hx _ IH]; simpl; [constructor; [assumption | constructor] |].
  apply Forall2_app; [exact IH |]. clear - IH Hx. induction IH; simpl; constructor; auto with has.
Qed.

Lemma look_correct : forall g ps, fst (look g ps) = true -> covers (snd (look g ps)) ps.
Proof.
  intros [base edges r |] ps H; simpl in *.
  - exists (Volume (edge_corners (point base) (map point edges)) (real r)). split.
    + split; simpl; [| apply has_number]. apply has_edge_corners; [apply has_point |].
      clear H. induction edges; simpl; constructor; auto with has.
    + intros p x Hp. apply held_correct. rewrite forallb_forall in H. apply H, Hp.
  - destruct ps as [| [a b c r | a b r] [| q ps]]; try discriminate; simpl.
    + exists (Volume [point a; point b; point c] (real r)). split; [split; simpl; auto with has |].
      intros p x [<- | []] (y & Hy & Hx). exists y. split; assumption.
    + exists (Volume [point a; point b] (real r)). split; [split; simpl; auto with has |].
      intros p x [<- | []] (k & u & Hk & -> & _ & Hs). apply cylinder_capsule; assumption.
Qed.

Lemma look_all_sound : forall t, sound_node (look_all t).
Proof.
  induction t as [g ps | g l IHl r IHr]; simpl.
  - pose proof (look_correct g ps) as H. destruct (look g ps) as [ok v]. split; [exact H | exact Logic.I].
  - pose proof (look_correct g (all_of (look_all l) ++ all_of (look_all r))) as H.
    destruct (look g (all_of (look_all l) ++ all_of (look_all r))) as [ok v]. split; [exact H | split; assumption].
Qed.
