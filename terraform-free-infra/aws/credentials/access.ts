import type { Clock } from '../../../shared/clock/clock.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import type { Secret } from '../../../shared/lifecycle/actuator.ts'
import { type AwsConnection, type ClientSettings, clientSettings } from '../client/client-settings.ts'
import { identityOf, secretValuesOf } from './credentials.ts'
import { type ReadCredentialsOptions, readCredentials } from './read-credentials.ts'
import { createSignIn } from './sign-in.ts'

/** AWS with the credentials of one object, in one region, for one step. */
export interface Access {
  readonly settings: ClientSettings
  /** Whom AWS counts the calls for. Not secret. */
  readonly identity: string
  /** Values that no error and no log line may repeat. */
  readonly secrets: readonly string[]
}

export interface AccessRequest extends ReadCredentialsOptions {
  /** Of `spec.secretRef`. */
  readonly secret: Secret | undefined
  /** Of the spec; goes before the one of the Secret. */
  readonly region: string | undefined
  /** When neither names one. */
  readonly defaultRegion?: string
  readonly signal: AbortSignal
}

export type OpenAccess = (request: AccessRequest) => Promise<Access>

/**
 * Makes the `OpenAccess` of a process: sessions of workload identities outlive the steps. Throws a `CodedError` for a
 * Secret or a region that cannot be used, and asks AWS for nothing.
 */
export const createAccess = (connection: AwsConnection, clock: Clock): OpenAccess => {
  const signIn = createSignIn(connection, clock)
  return async ({ secret, signal, dnsKeys, ...request }) => {
    if (secret === undefined) throw misconfigured('spec.secretRef: expected a reference to a Secret')
    const { credentials, region: ofSecret } = await readCredentials(secret, dnsKeys ? { dnsKeys } : {})
    const region = request.region || ofSecret || request.defaultRegion || ''
    // The region becomes part of a host name.
    if (!/^[a-z0-9-]+$/.test(region)) {
      throw misconfigured(
        request.region || !ofSecret
          ? `spec.region: ${JSON.stringify(region)} is no name of an AWS region`
          : `the region in Secret ${secret.namespace}/${secret.name} is no name of an AWS region`,
      )
    }
    return {
      settings: clientSettings(connection, region, signIn(credentials, { region, signal })),
      identity: identityOf(credentials),
      secrets: secretValuesOf(credentials),
    }
  }
}

const misconfigured = (message: string): CodedError =>
  new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'] })
