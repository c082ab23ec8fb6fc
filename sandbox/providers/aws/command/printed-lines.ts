import { printable } from '../../../../shared/text/printable.ts'
import { colors } from '../../../terminal/colors.ts'
import type { CallRecord } from '../simulator/aws.ts'

/** The lines to copy into another terminal, for each kind of client. */
export const welcome = (url: string, region: string, account: string): string => `
${colors.bold('AWS on this machine.')} Ctrl-C stops it.

  Endpoint  ${url}   any credentials, each region of AWS; account ${account} has the default VPC of each region
  Inspect   ${url}/_trellis/calls   all calls, newest last; ${url}/_trellis lists the other pages

For every SDK and for aws-cli, in another terminal:

  export AWS_ENDPOINT_URL=${url} AWS_REGION=${region} AWS_DEFAULT_REGION=${region}
  export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
  aws ec2 describe-vpcs

In code:

  boto3.client('ec2', endpoint_url='${url}', region_name='${region}', aws_access_key_id='any', aws_secret_access_key='any')
  new EC2Client({ endpoint: '${url}', region: '${region}', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } })

S3 takes the bucket from the path: boto3 does that by default, other clients need forcePathStyle or UsePathStyle.
`

/** `ec2:CreateVpc eu-west-1 → 200`, `s3:GetObject eu-west-1 → 404 NoSuchKey`. */
export const callLine = ({ service, action, region, status, errorCode, time }: CallRecord): string => {
  const when = colors.dim(new Date(time).toISOString())
  const answer = printable(
    [status ?? 'connection dropped', errorCode].filter(part => part !== undefined).join(' '),
  )
  const failed = errorCode !== undefined || status === undefined
  return `${when}  ${printable(`${service}:${action} ${region ?? ''}`)} → ${failed ? colors.red(answer) : answer}\n`
}
