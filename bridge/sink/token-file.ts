import { readFile } from 'node:fs/promises'
import type { Clock, Timestamp } from '../../shared/clock/clock.ts'
import type { TokenSource } from '../../shared/events/events.ts'
import { messageOf } from '../../shared/text/message-of.ts'

/** How long a token is used before its file is checked again, in ms; kubelets renew it well before it expires. */
const freshForMs = 60_000

/**
 * Returns the token in a file that is renewed, such as the kubelet's projected service account token. Without the file
 * there is no token. Rejects if the file cannot be read.
 */
export const tokenFile = (path: string, clock: Pick<Clock, 'now'>): TokenSource => {
  let last: { readonly at: Timestamp; readonly token: string | undefined } | undefined
  let reading: Promise<string | undefined> | undefined

  const readAgain = async () => {
    const token = await read(path)
    last = { at: clock.now(), token }
    return token
  }

  return {
    token: async ({ refused } = {}) => {
      const isFresh = last !== undefined && clock.now() - last.at < freshForMs
      const isRefused = refused !== undefined && last?.token === refused
      if (last !== undefined && isFresh && !isRefused) return last.token
      reading ??= readAgain().finally(() => {
        reading = undefined
      })
      return reading
    },
  }
}

const read = async (path: string): Promise<string | undefined> => {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new Error(`reading --sink-token-file (TRELLIS_SINK_TOKEN_FILE): ${messageOf(error)}`, {
      cause: error,
    })
  }
}
