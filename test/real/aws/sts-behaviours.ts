import { AssumeRoleWithWebIdentityCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { type AwsEndpoint, type Behaviour, outcomeOf } from './behaviour.ts'
import { webIdentityToken } from './web-identity-token.ts'

const assume = ({ sts }: AwsEndpoint, WebIdentityToken: string) =>
  sts.send(
    new AssumeRoleWithWebIdentityCommand({
      RoleArn: 'arn:aws:iam::123456789012:role/dns',
      RoleSessionName: 'trellis',
      WebIdentityToken,
    }),
  )

/** The parts of STS that workload identity needs. */
export const stsBehaviours: readonly Behaviour[] = [
  {
    title: 'a caller has an account of twelve digits',
    see: ({ sts }) =>
      outcomeOf(sts.send(new GetCallerIdentityCommand({})), ({ Account }) => /^\d{12}$/.test(Account ?? '')),
    aws: true,
  },
  {
    title: 'a web identity token is exchanged for a session of the role',
    see: endpoint =>
      outcomeOf(assume(endpoint, webIdentityToken), ({ AssumedRoleUser, Credentials }) => [
        AssumedRoleUser?.Arn,
        Credentials?.AccessKeyId?.slice(0, 4),
      ]),
    aws: ['arn:aws:sts::123456789012:assumed-role/dns/trellis', 'ASIA'],
  },
  {
    title: 'what is no token is refused',
    see: endpoint =>
      outcomeOf(assume(endpoint, 'no.real.token'), ({ AssumedRoleUser }) => AssumedRoleUser?.Arn),
    aws: 'InvalidIdentityTokenException: The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)',
    moto: 'arn:aws:sts::123456789012:assumed-role/dns/trellis',
  },
]
