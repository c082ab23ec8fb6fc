import type { Clock, Timestamp } from '../../clock/clock.ts'
import type { Credentials } from './cluster-access.ts'

/** Maximum age of credentials before their files are read again, in milliseconds; the same as in client-go. */
const freshFor = 60_000

/**
 * Reads credentials at most once a minute, and at once after the server refused them: the kubelet rotates token files,
 * and exec plugins issue short-lived tokens. A plugin then runs again, because a token may be revoked before it
 * expires.
 */
export const cacheCredentials = (
  clock: Pick<Clock, 'now'>,
  read: (refused: boolean) => Promise<Credentials>,
): ((options?: { readonly refused?: Credentials }) => Promise<Credentials>) => {
  let last: { readonly at: Timestamp; readonly credentials: Credentials } | undefined
  let reading: Promise<Credentials> | undefined

  const readAgain = async (refused: boolean): Promise<Credentials> => {
    const fresh = await read(refused)
    const credentials = last && same(last.credentials, fresh) ? last.credentials : fresh
    last = { at: clock.now(), credentials }
    return credentials
  }

  return async ({ refused } = {}) => {
    // A read that began before the refusal may return the refused credentials.
    if (refused !== undefined) await reading?.catch(() => undefined)
    const usable = last && last.credentials !== refused && clock.now() - last.at < freshFor
    if (last && usable) return last.credentials
    reading ??= readAgain(refused !== undefined).finally(() => {
      reading = undefined
    })
    return reading
  }
}

const same = (a: Credentials, b: Credentials): boolean =>
  a.agent === b.agent && JSON.stringify([a.headers, a.tls]) === JSON.stringify([b.headers, b.tls])
