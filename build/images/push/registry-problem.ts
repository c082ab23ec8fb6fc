/** Advice for the output of regctl after a failed request. The first match applies. */
const advice: readonly (readonly [pattern: RegExp, advice: (host: string) => string])[] = [
  [
    /\[http 403\]/,
    () =>
      'these credentials may not write there. Request the permission to push, or choose another --registry',
  ],
  [
    /unauthorized|\[http 401\]/,
    host => `it requires credentials: docker login ${host}, or regctl registry login ${host}`,
  ],
  [
    /\[http 404\]|not found/,
    () =>
      'the repository does not exist, and the registry does not create it. Create it first, or correct --registry',
  ],
  [
    /\[http 429\]|too many requests/i,
    () => 'it throttles requests. Wait and push again; uploaded images are not sent again',
  ],
  [
    /\[http 5\d\d\]/,
    () => 'it is broken or unavailable. Push again later; uploaded images are not sent again',
  ],
  [
    /server gave HTTP response to HTTPS client/,
    () => 'it has no TLS. Use --plain-http for your own registry',
  ],
  [/x509|certificate/, () => 'its certificate is not trusted. Set SSL_CERT_FILE to the CA'],
  [
    /dial tcp|no such host|connection refused|timeout/i,
    () => 'it cannot be reached. Check --registry and the proxy',
  ],
]

/**
 * Returns one line of advice for a failed push or pull, with the reason from regctl.
 *
 * @param output of regctl, or a message with it
 */
export const registryProblem = (reference: string, output: string): string => {
  const [host = ''] = reference.split('/')
  const reason =
    output
      .trim()
      .split('\n')
      .findLast(line => line !== '' && !line.startsWith('time=')) ?? ''
  const known = advice.find(([pattern]) => pattern.test(reason))
  const todo = known === undefined ? 'the registry failed' : known[1](host)
  return `${reference}: ${todo} (${reason})`
}
