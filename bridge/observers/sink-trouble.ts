/** Why the sink rejected something; `code` is that of the system or of TLS. */
export interface SinkFailure {
  readonly why: string
  readonly status?: number | undefined
  readonly code?: string | undefined
}

/** The problems of a sink, as the metric names them. */
export const sinkTroubles = [
  'unreachable',
  'certificate',
  'unauthenticated',
  'forbidden',
  'missing',
  'failing',
  'refusing',
  'synchronous',
] as const
export type SinkTrouble = (typeof sinkTroubles)[number]

/** Advice for the operator. */
export interface SinkAdvice {
  readonly trouble: SinkTrouble
  /** The bridge setting that affects it. */
  readonly setting: string
  /** The action to take. */
  readonly advice: string
}

const certificateCode = /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_/
const address = '--sink (TRELLIS_SINK, K_SINK)'
const token = '--sink-token-file (TRELLIS_SINK_TOKEN_FILE)'

export const adviceOn = ({ status, code = '' }: SinkFailure): SinkAdvice => {
  if (certificateCode.test(code))
    return {
      trouble: 'certificate',
      setting: '--sink-ca-file (TRELLIS_SINK_CA_FILE) or --sink-ca-certs (K_CA_CERTS)',
      advice:
        'its certificate is of no authority that the bridge knows: kubectl get broker shows the CA that the SinkBinding hands over (status.address.CACerts)',
    }
  switch (status) {
    case undefined:
      return {
        trouble: 'unreachable',
        setting: address,
        advice:
          "see whether the Broker is ready (kubectl get broker), the pods of its ingress run, and a NetworkPolicy lets the bridge's pods go there",
      }
    case 401:
    case 407:
      return {
        trouble: 'unauthenticated',
        setting: token,
        advice:
          'it wants a token: see whether the SinkBinding is ready (OIDCIdentityCreated) and its audience is that of the Broker (status.address.audience); a token that has run out is read again by itself',
      }
    case 403:
      return {
        trouble: 'forbidden',
        setting: token,
        advice:
          "it knows the sender and does not let it: an EventPolicy has to name the ServiceAccount of the bridge's SinkBinding for this Broker (kubectl get eventpolicies)",
      }
    case 404:
    case 405:
    case 410:
    case 421:
      return {
        trouble: 'missing',
        setting: address,
        advice:
          'there is no Broker at that address: see kubectl get broker, whether its class is installed, and whether the SinkBinding names it',
      }
    default:
      return status >= 500
        ? {
            trouble: 'failing',
            setting: address,
            advice:
              'it is there and cannot keep events: see the log of its ingress, and whether what it keeps them in runs and takes this size (Kafka, RabbitMQ, NATS)',
          }
        : { trouble: 'refusing', setting: address, advice: refusalAdvice(status) }
  }
}

/** The advice for an event that is refused because of its content. */
export const refusalAdvice = (status: number): string =>
  status === 413
    ? 'something on the way to the broker takes no request of this size: it has to take 1 MiB, while an event has 64 KiB of data at most'
    : 'see the log of its ingress; something between the bridge and the broker may answer in its place'

/** The advice for a broker that waits for the functions' answers. */
export const synchronousAdvice =
  'annotate the Broker with messaging.knative.dev/async-handler: "true": until then each event under way holds a connection, and is given up with it'

/** The problems that only an operator can fix, and that block every event. */
const lasting: readonly SinkTrouble[] = [
  'unreachable',
  'certificate',
  'unauthenticated',
  'forbidden',
  'missing',
]

export const isLasting = (trouble: SinkTrouble): boolean => lasting.includes(trouble)
