/** The variables that Node's agents use. */
export type ProxyEnvironment = Readonly<Record<'http_proxy' | 'https_proxy' | 'no_proxy', string>>

/** A proxy would send requests for this machine to itself. Like Go and curl, never use a proxy for these hosts. */
const thisMachine = ['localhost', '127.0.0.0-127.255.255.255', '[::1]', '::1']

/**
 * Returns the proxies of an environment, for `proxyEnv` of Node's agents. The rules are those of Go, which operators
 * know from the Go extension: lower-case names win, a proxy without a scheme is `http`, a name in NO_PROXY includes its
 * subdomains, and requests to this machine use no proxy. NO_PROXY accepts ranges (`10.0.0.0-10.0.0.255`), but no CIDRs.
 * Services of clouds have names, so this is enough.
 *
 * Throws a `TypeError` for an unusable proxy. Node would ignore it and bypass the proxy.
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

/** The value may contain a password, so no error contains it. */
const proxyUrl = (name: string, value: string): string => {
  if (value === '') return ''
  const url = value.includes('://') ? value : `http://${value}`
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new TypeError(`${name} is not the URL of a proxy: expected http://HOST:PORT or https://HOST:PORT`)
}

const withSubdomains = (entry: string): readonly string[] => {
  if (entry === '') return []
  return /^[.*]/.test(entry) ? [entry] : [entry, `.${entry}`]
}
