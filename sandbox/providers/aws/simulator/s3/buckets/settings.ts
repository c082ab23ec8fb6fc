import { type DurationSettings, scaledDurations } from '../../durations.ts'

/**
 * The durations of S3 in milliseconds. Other accounts can use a deleted bucket's name again "within an hour" ("Deleting
 * a bucket", S3 user guide); its owner can in the same region at once.
 */
const typical = { nameReleased: 3_600_000 } as const

/** The transport of requests for bucket policies: `aws:SecureTransport` and `s3:TlsVersion`. */
export interface S3Transport {
  readonly secure: boolean
  /** `1.3` */
  readonly tlsVersion: string
}

export interface S3Settings {
  readonly durations?: DurationSettings<keyof typeof typical>
  /**
   * The transport that all requests report. Plain HTTP stays on this machine, so by default it counts as TLS 1.3;
   * otherwise policies that require TLS would refuse every request.
   */
  readonly transport?: Partial<S3Transport>
}

/** The durations and limits that the operations apply. */
export interface S3Rules {
  readonly transport: S3Transport
  readonly durations: Readonly<Record<keyof typeof typical, number>>
}

export const rulesOf = ({ durations, transport }: S3Settings = {}): S3Rules => ({
  transport: { secure: true, tlsVersion: '1.3', ...transport },
  durations: scaledDurations(typical, durations),
})
