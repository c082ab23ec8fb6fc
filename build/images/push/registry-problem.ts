/** Advice for the output of regctl after a failed request. The first match applies. */
const advice: readonly (readonly [pattern: RegExp, advice: (host: string) => string])[] = [
  [
    /\[http 403\]/,
    () => 'these credentials may not write there: ask for the right to push, or name another --registry',
  ],
  [
    /unauthorized|\[http 401\]/,
    host => `it wants credentials: docker login ${host}, or regctl registry login ${host}`,
  ],
  [
    /\[http 404\]|not found/,
    () => 'there is no such repository, and it makes none by itself: make it first, or correct --registry',
  ],
  [
    /\[http 429\]|too many requests/i,
    () => 'it has had too many requests: wait, and push again; what is there is not sent twice',
  ],
  [/\[http 5\d\d\]/, () => 'it is broken or away: push again later; what is there is not sent twice'],
  [
    /server gave HTTP response to HTTPS client/,
    () => 'it speaks HTTP alone: --plain-http, for a registry of your own',
  ],
  [/x509|certificate/, () => 'its certificate is not trusted here: SSL_CERT_FILE names the CA'],
  [
    /dial tcp|no such host|connection refused|timeout/i,
    () => 'it cannot be reached from here: check --registry and the proxy',
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
