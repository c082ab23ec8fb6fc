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
        'the bridge does not trust its certificate. kubectl get broker shows the CA that the SinkBinding provides (status.address.CACerts)',
    }
  switch (status) {
    case undefined:
      return {
        trouble: 'unreachable',
        setting: address,
        advice:
          "check that the Broker is ready (kubectl get broker), that the pods of its ingress run, and that NetworkPolicies allow traffic from the bridge's pods",
      }
    case 401:
    case 407:
      return {
        trouble: 'unauthenticated',
        setting: token,
        advice:
          'it requires a token. Check that the SinkBinding is ready (OIDCIdentityCreated) and that its audience matches the Broker (status.address.audience). An expired token is read again automatically',
      }
    case 403:
      return {
        trouble: 'forbidden',
        setting: token,
        advice:
          "the sender is not allowed. An EventPolicy must list the ServiceAccount of the bridge's SinkBinding for this Broker (kubectl get eventpolicies)",
      }
    case 404:
    case 405:
    case 410:
    case 421:
      return {
        trouble: 'missing',
        setting: address,
        advice:
          'no Broker has this address. Check kubectl get broker, that its class is installed, and that the SinkBinding refers to it',
      }
    default:
      return status >= 500
        ? {
            trouble: 'failing',
            setting: address,
            advice:
              'it cannot store events. Check the log of its ingress, and that its storage (Kafka, RabbitMQ, NATS) runs and accepts this size',
          }
        : { trouble: 'refusing', setting: address, advice: refusalAdvice(status) }
  }
}

/** The advice for an event that is refused because of its content. */
export const refusalAdvice = (status: number): string =>
  status === 413
    ? 'a proxy on the way to the broker rejects requests of this size. It must accept 1 MiB; the data of an event has at most 64 KiB'
    : 'check the log of its ingress. A proxy between the bridge and the broker may answer instead'

/** The advice for a broker that waits for the functions' answers. */
export const synchronousAdvice =
  'annotate the Broker with messaging.knative.dev/async-handler: "true". Until then each event in flight holds a connection and is lost with it'

/** The problems that only an operator can fix, and that block every event. */
const lasting: readonly SinkTrouble[] = [
  'unreachable',
  'certificate',
  'unauthenticated',
  'forbidden',
  'missing',
]

export const isLasting = (trouble: SinkTrouble): boolean => lasting.includes(trouble)
