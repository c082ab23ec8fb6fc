import type { FunctionDeps } from '../../../../shared/runtime/runtime.ts'
import { createHttpSender } from '../../../cloud/http-sender.ts'
import type { OpenStackConnection } from './connection.ts'

/** Returns the connection of a function, by default over HTTP. `OS_AUTH_URL` replaces the URL of Keystone. */
export const connectionOf = ({
  onRequest,
  connection = {
    send: createHttpSender(),
    authUrl: process.env.OS_AUTH_URL || undefined,
  },
}: Pick<FunctionDeps<OpenStackConnection>, 'onRequest' | 'connection'>): OpenStackConnection => ({
  ...(onRequest && { onRequest }),
  ...connection,
})
