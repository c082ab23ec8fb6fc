import { createHash } from 'node:crypto'
import { refuse } from '../../../service.ts'
import type { Ec2 } from '../context.ts'
import { invalidParameter } from '../refusals.ts'

/** Members in the order of their names, so that the order of a request does not matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )

/** The parameters themselves would take more memory than what is made with them. */
const digest = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('base64url')

/**
 * Makes something once for each ClientToken ("Ensuring idempotency in Amazon EC2 API requests"): the same
 * request again gets what it made the first time, as it is now.
 *
 * @returns the ids of what was made now or before
 * @throws AwsError IdempotentParameterMismatch when the token was used with other parameters
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
