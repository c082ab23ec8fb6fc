import { createHash } from 'node:crypto'
import { refuse } from '../../../service.ts'
import type { Ec2 } from '../context.ts'
import { invalidParameter } from '../refusals.ts'

/** JSON with sorted keys, so that the order of members does not matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )

/** A digest, because the parameters would take more memory than the resources they create. */
const digest = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('base64url')

/**
 * Creates resources once for each ClientToken ("Ensuring idempotency in Amazon EC2 API requests"). A repeated request
 * returns the resources of the first one, in their current state.
 *
 * @returns the ids of the resources, created now or before
 * @throws AwsError IdempotentParameterMismatch if the token was used with other parameters
 */
export const onceByToken = (
  ec2: Ec2,
  action: string,
  input: { readonly ClientToken?: string | undefined },
  make: () => readonly string[],
): { readonly ids: readonly string[]; readonly repeated: boolean } => {
  const { ClientToken: token, ...rest } = input
  if (token === undefined || token === '') return { ids: make(), repeated: false }
  if (token.length > 64) {
    throw invalidParameter('clientToken', token, 'It must not be longer than 64 characters.')
  }
  const key = `${action}:${token}`
  const parameters = digest(rest)
  const known = Object.hasOwn(ec2.state.tokens, key) ? ec2.state.tokens[key] : undefined
  if (known) {
    if (known.parameters !== parameters) {
      throw refuse(
        'IdempotentParameterMismatch',
        'The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical.',
      )
    }
    return { ids: known.ids, repeated: true }
  }
  const ids = make()
  ec2.state.tokens[key] = { parameters, ids }
  return { ids, repeated: false }
}
