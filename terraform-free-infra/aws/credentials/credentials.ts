/** How to sign in to AWS (docs/contract/provider-aws.md#credentials). Holds secret values. */
export type AwsCredentials =
  | { readonly kind: 'access-key'; readonly accessKeyId: string; readonly secretAccessKey: string }
  /** `token`: an OIDC token that STS changes into a session of the role. */
  | { readonly kind: 'workload-identity'; readonly roleArn: string; readonly token: string }

/** Whom AWS counts the calls for: the access key id, or the ARN of the role. Not secret. */
export const identityOf = (credentials: AwsCredentials): string =>
  credentials.kind === 'access-key' ? credentials.accessKeyId : credentials.roleArn

/** The values that must never be read in an error or a log line. */
export const secretValuesOf = (credentials: AwsCredentials): readonly string[] =>
  credentials.kind === 'access-key' ? [credentials.secretAccessKey] : [credentials.token]
