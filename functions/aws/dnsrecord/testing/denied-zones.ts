import { Readable } from 'node:stream'
import { HttpResponse } from '@smithy/core/protocols'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'

const refusal = `<?xml version="1.0"?>
<ErrorResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>User: arn:aws:iam::123456789012:user/dns is not authorized to access this resource</Message></Error><RequestId>1</RequestId></ErrorResponse>`

/** Denies access to these zones, as AWS does for zones of other accounts (aws/aws-sdk-php#2141). */
export const denyZones = (handler: AwsRequestHandler, ...ids: readonly string[]): AwsRequestHandler => ({
  handle: async (request, options) =>
    ids.some(id => request.path.includes(`/hostedzone/${id}/`))
      ? {
          response: new HttpResponse({
            statusCode: 403,
            headers: {},
            body: Readable.from([Buffer.from(refusal)]),
          }),
        }
      : handler.handle(request, options),
})
