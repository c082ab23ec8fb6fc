import type { ServiceModel } from './model.ts'

/** An error on its way to the wire. */
export interface WireError {
  /** The code that clients match on: `NoSuchHostedZone`. */
  readonly code: string
  readonly message: string
  /** HTTP status; by default what the service's model says of the code, else 400. */
  readonly status?: number
  /** Further members of the error's shape; in XML also texts that the model does not know (S3's `BucketName`). */
  readonly members?: Readonly<Record<string, unknown>>
  /** Further headers, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** HTTP status of an error: its own, else the model's, else 400. */
export const errorStatus = (model: ServiceModel, error: WireError): number =>
  error.status ?? model.errors.get(error.code)?.status ?? 400
