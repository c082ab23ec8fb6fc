import type { AwsConnection } from './client.ts'
import { createRequestHandler } from './request-handler.ts'

/** Returns the connection of a function, by default to AWS itself, that reports each request. */
export const connectionOf = ({
  onRequest,
  connection = { requestHandler: createRequestHandler() },
}: Pick<AwsConnection, 'onRequest'> & { readonly connection?: AwsConnection }): AwsConnection => ({
  onRequest,
  ...connection,
})
