import type { HostedProgram } from '../programs.ts'

/**
 * Variables that a program's process gets from the environment of the bridge: how to reach the API servers, the
 * clouds and the receiver of spans. The tokens and settings of the bridge are not among them.
 */
const inherited = [
  /^(?:PATH|HOME|TZ|LANG|HOSTNAME)$/,
  /^KUBERNETES_SERVICE_(?:HOST|PORT)/,
  /^(?:HTTPS?|NO|ALL)_PROXY$/i,
  /^(?:KUBECONFIG|GARDEN_KUBECONFIG|SEED_NAME)$/,
  /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|MALLOC_ARENA_MAX)$/,
  /^OTEL_/,
  /_ENDPOINT_URL$|_ENDPOINT_URL_|_CA_BUNDLE$/,
]

/** The address of the bridge's report receiver, and the kubeconfig that the bridge uses, if any. */
export interface RunnerAddresses {
  readonly reportTo: string
  /** Proves that the program sent a report. */
  readonly reportToken: string
  readonly kubeconfig: string | undefined
}

/** Returns the environment of a program's process. The entry of the program overrides everything but the address. */
export const programEnvironment = (
  { env }: Pick<HostedProgram, 'env'>,
  own: Readonly<Record<string, string | undefined>>,
  { reportTo, reportToken, kubeconfig }: RunnerAddresses,
): Readonly<Record<string, string>> => {
  const passed = Object.entries(own).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && inherited.some(name => name.test(entry[0])),
  )
  return {
    ...Object.fromEntries(passed),
    ...(kubeconfig === undefined ? {} : { KUBECONFIG: kubeconfig }),
    TRELLIS_REPORT_TO: reportTo,
    TRELLIS_REPORT_TOKEN: reportToken,
    ...env,
    TRELLIS_ADDRESS: '127.0.0.1',
    TRELLIS_PORT: '0',
  }
}
