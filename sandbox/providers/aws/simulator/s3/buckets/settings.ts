import { type DurationSettings, scaledDurations } from '../../durations.ts'

/**
 * How long S3 takes, in milliseconds. A deleted bucket's name is free again for others "within an hour"
 * ("Deleting a bucket", S3 user guide); its owner can have it again in the same region at once.
 */
const typical = { nameReleased: 3_600_000 } as const

/** How requests arrive, as far as bucket policies ask for it: `aws:SecureTransport` and `s3:TlsVersion`. */
export interface S3Transport {
  readonly secure: boolean
  /** `1.3` */
  readonly tlsVersion: string
}

export interface S3Settings {
  readonly durations?: DurationSettings<keyof typeof typical>
  /**
   * What all requests count as. Plain HTTP does not leave the machine and counts as TLS 1.3 by default: policies that
   * refuse all else would refuse everybody.
   */
  readonly transport?: Partial<S3Transport>
}

/** What the operations go by. */
export interface S3Rules {
  readonly transport: S3Transport
  readonly durations: Readonly<Record<keyof typeof typical, number>>
}

export const rulesOf = ({ durations, transport }: S3Settings = {}): S3Rules => ({
  transport: { secure: true, tlsVersion: '1.3', ...transport },
  durations: scaledDurations(typical, durations),
})
