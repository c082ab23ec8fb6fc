import {
  connectionOf,
  type OpenStackConnection,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import type { ConnectSettings } from '../provider.ts'
import { cloudCallOf, placeOfUrl } from './simulator/openstack.ts'

/** Connects to OpenStack over the network. `endpoint`: the URL of Keystone in place of the one in each Secret. */
export const connectOpenStack = async ({
  endpoint,
  onCall,
  send,
}: ConnectSettings): Promise<OpenStackConnection> => {
  const own = connectionOf({})
  const connection: OpenStackConnection = {
    ...own,
    ...(send && { send }),
    ...(endpoint !== undefined && { authUrl: keystoneAt(endpoint) }),
  }
  if (onCall === undefined) return connection
  return {
    ...connection,
    send: async request => {
      const { method, url, body = '' } = request
      const call = { ...placeOfUrl(url), method, body }
      try {
        const answer = await connection.send(request)
        onCall(cloudCallOf({ ...call, answer: { ...answer, headers: {} } }))
        return answer
      } catch (error) {
        onCall(cloudCallOf({ ...call, answer: undefined }))
        throw error
      }
    },
  }
}

/** A sandbox prints the address of the whole cloud, in which Keystone has a path. */
const keystoneAt = (endpoint: string): string =>
  new URL(endpoint).pathname === '/' ? `${endpoint.replace(/\/$/, '')}/identity/v3` : endpoint
