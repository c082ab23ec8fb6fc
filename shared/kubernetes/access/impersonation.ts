import * as z from 'zod'
import type { KubeconfigEntry } from './load-kubeconfig.ts'

const schema = z.object({
  as: z.string().nullish(),
  'as-uid': z.string().nullish(),
  'as-groups': z.array(z.string()).nullish(),
  'as-user-extra': z.record(z.string(), z.array(z.string())).nullish(),
})

/**
 * Returns the headers that act as another user
 * (https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/). A header with several values is sent
 * several times.
 */
export const impersonation = ({
  name,
  fields,
}: KubeconfigEntry): Readonly<Record<string, string | string[]>> => {
  const { data, error } = schema.safeParse(fields)
  if (error !== undefined) throw new Error(`user ${name} has an invalid ${error.issues[0]?.path.join('.')}`)
  const { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = data
  const others = {
    ...(uid && { 'impersonate-uid': uid }),
    ...(groups?.length && { 'impersonate-group': groups }),
    ...Object.fromEntries(
      Object.entries(extra ?? {}).map(([key, values]) => [`impersonate-extra-${escaped(key)}`, values]),
    ),
  }
  if (as) return { 'impersonate-user': as, ...others }
  if (Object.keys(others).length === 0) return {}
  throw new Error(`user ${name} has as-uid, as-groups or as-user-extra without as: name the user to act as`)
}

/** Percent-encodes what no header's name may contain (RFC 9110, section 5.6.2), and `%`. */
const escaped = (key: string): string =>
  [...Buffer.from(key)]
    .map(byte => String.fromCharCode(byte))
    .map(character =>
      /[!#$&'*+.^_`|~\w-]/.test(character)
        ? character
        : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')
