import type { TlsSettings } from '../client/connection.ts'
import type { CloudProfileConfig } from './cloud-profile-config.ts'

/** Keystone as a CloudProfile names it. */
export interface Keystone {
  readonly url: string
  readonly tls: TlsSettings
}

/**
 * Returns the Keystone of a region: the entry of the region, else the one for all regions. Undefined: the CloudProfile
 * names none.
 */
export const keystoneOf = (
  {
    keystoneURL,
    keystoneURLs,
    keystoneCACert,
    keystoneForceInsecure,
  }: Pick<CloudProfileConfig, 'keystoneURL' | 'keystoneURLs' | 'keystoneCACert' | 'keystoneForceInsecure'>,
  region: string | undefined,
): Keystone | undefined => {
  const ofRegion = keystoneURLs.find(one => one.region === region)
  const url = ofRegion?.url ?? keystoneURL
  if (url === undefined || url === '') return undefined
  const ca = ofRegion === undefined ? keystoneCACert : (ofRegion.caCert ?? keystoneCACert)
  return { url, tls: { ...(ca && { ca }), ...(keystoneForceInsecure && { insecure: true }) } }
}
