import type { ReviewRequest } from '../../admission/admission.ts'
import { fieldErrors, type Lookup, type ReviewOutcome, refusedFor } from '../../admission/admission.ts'
import { isAbsent } from '../json.ts'
import { findProfile } from '../profile.ts'
import { parseShoot, poolsIn, type ShootPool, type ShootSpec } from './shoot-parts.ts'

/** A Shoot with workers, and its CloudProfile. */
export interface ReviewedShoot {
  readonly spec: ShootSpec
  /** The old spec. Undefined for a new Shoot, and for an old one of another form. */
  readonly former: ShootSpec | undefined
  readonly pools: readonly ShootPool[]
  readonly formerPools: readonly ShootPool[]
  /** The `spec` of the CloudProfile. */
  readonly cloudProfile: unknown
  readonly region: string
  readonly isDeleting: boolean
}

type ReadShoot =
  | { readonly ok: true; readonly shoot: ReviewedShoot }
  | { readonly ok: false; readonly outcome: ReviewOutcome }

/** Reads a Shoot. The outcome allows one without workers, and refuses one of another form or without a CloudProfile. */
export const readShoot = async (
  { object, oldObject, namespace = '' }: ReviewRequest,
  lookup: Lookup,
): Promise<ReadShoot> => {
  const ended = (outcome: ReviewOutcome): ReadShoot => ({ ok: false, outcome })
  const parsed = parseShoot(object.spec)
  if (!parsed.ok) return ended(refusedFor(fieldErrors(parsed.problems, { at: 'spec', within: object.spec })))
  const { spec } = parsed
  const pools = poolsIn(spec)
  if (pools.length === 0) return ended({})
  const parsedOld = oldObject === undefined ? undefined : parseShoot(oldObject.spec)
  const former = parsedOld?.ok ? parsedOld.spec : undefined
  const profile = await findProfile(spec, namespace, lookup)
  if (!profile.ok) return ended(refusedFor([profile.message]))
  const shoot = {
    spec,
    former,
    pools,
    formerPools: former === undefined ? [] : poolsIn(former),
    cloudProfile: profile.spec,
    region: spec.region ?? '',
    isDeleting: !isAbsent(object.metadata.deletionTimestamp),
  }
  return { ok: true, shoot }
}

/** A check of a Shoot. Returns its errors. */
export type ShootCheck = () => readonly string[] | Promise<readonly string[]>

/** Returns the errors of the first group with errors, because later groups would repeat them in other words. */
export const firstErrors = async (groups: readonly ShootCheck[]): Promise<readonly string[]> => {
  for (const group of groups) {
    const errors = await group()
    if (errors.length > 0) return errors
  }
  return []
}
