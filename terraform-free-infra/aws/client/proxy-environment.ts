/** The variables that Node's agents read. */
export type ProxyEnvironment = Readonly<Record<'http_proxy' | 'https_proxy' | 'no_proxy', string>>

/** A proxy on the way would send requests for this machine to another one. Go and curl never ask it for these. */
const thisMachine = ['localhost', '127.0.0.0-127.255.255.255', '[::1]', '::1']

/**
 * The proxies that an environment names, for `proxyEnv` of Node's agents. The rules are those of Go, which operators know
 * from the Go extension: lower-case names win, a proxy without a scheme is `http`, a name in NO_PROXY stands for its
 * subdomains, too, and this machine is never reached by a proxy. NO_PROXY takes no CIDRs, only ranges
 * (`10.0.0.0-10.0.0.255`): services of AWS have names.
 *
 * Throws a `TypeError` for a proxy that cannot be used. Node ignores one, and the calls would go past the proxy.
 */
export const proxyEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
): ProxyEnvironment => {
  const variable = (name: string): string => environment[name] || environment[name.toUpperCase()] || ''
  const bypassed = variable('no_proxy').split(/[\s,]+/)
  return {
    http_proxy: proxyUrl('HTTP_PROXY', variable('http_proxy')),
    https_proxy: proxyUrl('HTTPS_PROXY', variable('https_proxy')),
    no_proxy: [...thisMachine, ...bypassed.flatMap(withSubdomains)].join(','),
  }
}

/** The value may hold a password, so no error repeats it. */
const proxyUrl = (name: string, value: string): string => {
  if (value === '') return ''
  const url = value.includes('://') ? value : `http://${value}`
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new TypeError(`${name} is no URL of a proxy: write http://HOST:PORT or https://HOST:PORT`)
}

const withSubdomains = (entry: string): readonly string[] => {
  if (entry === '') return []
  return /^[.*]/.test(entry) ? [entry] : [entry, `.${entry}`]
}
