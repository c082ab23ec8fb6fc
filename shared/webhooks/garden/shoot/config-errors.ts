import { minorVersionOf } from '../../../contract/minor-version-of.ts'
import { formatProblems, type Problem } from '../../../decode/problems.ts'
import { messageOf } from '../../../text/message-of.ts'
import { fieldErrors } from '../../admission/admission.ts'
import { isAbsent } from '../json.ts'

/** The result of decoding a provider's config. Paths begin at the config. */
type DecodedShootConfig<C> =
  | { readonly ok: true; readonly config: C }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** @param options.lenient ignores unknown fields, for a config that another admission accepted */
type DecodeConfig<C> = (value: unknown, options?: { readonly lenient?: boolean }) => DecodedShootConfig<C>

/** Returns a decoder of a function that throws an Error with all problems. */
export const decodeBy =
  <C>(decode: (value: unknown, lenient: boolean) => C): DecodeConfig<C> =>
  (value, { lenient = false } = {}) => {
    try {
      return { ok: true, config: decode(value, lenient) }
    } catch (error) {
      return { ok: false, problems: [{ path: '', message: messageOf(error) }] }
    }
  }

type ReadConfig<C> =
  | { readonly ok: true; readonly config: C }
  | { readonly ok: false; readonly errors: readonly string[] }

/** A required config of a provider in a Shoot. */
export interface ConfigPlace<C> {
  /** `spec.provider.infrastructureConfig` */
  readonly at: string
  /** `InfrastructureConfig` */
  readonly kind: string
  readonly decode: DecodeConfig<C>
}

/** Decodes the config of a Shoot. */
export const readConfig = <C>({ at, kind, decode }: ConfigPlace<C>, value: unknown): ReadConfig<C> => {
  if (isAbsent(value)) {
    const message = `expected ${article(kind)} ${kind}, found nothing`
    return { ok: false, errors: fieldErrors([{ path: at, message, kind: 'required' }]) }
  }
  const decoded = decode(value)
  if (decoded.ok) return decoded
  const problem = { path: '', message: formatProblems(decoded.problems) }
  return { ok: false, errors: fieldErrors([problem], { at, within: value }) }
}

/** Decodes the config of the old Shoot. Ignores unknown fields. */
export const readFormerConfig = <C>({ at, kind, decode }: ConfigPlace<C>, value: unknown): ReadConfig<C> => {
  const refusal = (message: string): ReadConfig<C> => ({
    ok: false,
    errors: fieldErrors([{ path: at, message, kind: 'internal' }]),
  })
  if (isAbsent(value)) return refusal(`the previous Shoot has no ${kind}`)
  const decoded = decode(value, { lenient: true })
  return decoded.ok
    ? decoded
    : refusal(`cannot read the ${kind} of the previous Shoot: ${formatProblems(decoded.problems)}`)
}

const article = (word: string): string => (/^[AEIOU]/.test(word) ? 'an' : 'a')

/**
 * Returns the minor version of Kubernetes. An unreadable version has every feature gate; Gardener's own validation
 * refuses it.
 */
export const minorOf = (version: string | null | undefined): number => {
  try {
    return minorVersionOf(version ?? '').minor
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
