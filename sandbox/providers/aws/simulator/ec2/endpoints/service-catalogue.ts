/** A prefix list managed by AWS: the addresses of a service in a region. */
export interface AwsPrefixList {
  readonly id: string
  readonly name: string
  readonly cidrs: readonly string[]
}

/** The known ids of some regions. Other ids are derived from the name. */
const knownIds: Readonly<Record<string, string>> = {
  'com.amazonaws.eu-west-1.s3': 'pl-6da54004',
  'com.amazonaws.eu-west-1.dynamodb': 'pl-6fa54006',
  'com.amazonaws.eu-central-1.s3': 'pl-6ea54007',
  'com.amazonaws.us-east-1.s3': 'pl-63a5400a',
  'com.amazonaws.us-east-1.dynamodb': 'pl-02cd2c6b',
}

const derivedId = (name: string): string => {
  const hash = [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 5381)
  return `pl-${hash.toString(16).padStart(8, '0')}`
}

const addresses: Readonly<Record<string, readonly string[]>> = {
  s3: ['52.92.0.0/17', '3.5.64.0/21', '18.34.240.0/22'],
  dynamodb: ['52.119.240.0/21', '52.94.5.0/24'],
}

const gatewayServices = ['s3', 'dynamodb']

/** Services have a prefix list if they have a gateway endpoint ("Gateway endpoints"). */
export const prefixLists = (region: string): readonly AwsPrefixList[] =>
  gatewayServices.map(service => {
    const name = `com.amazonaws.${region}.${service}`
    return { id: knownIds[name] ?? derivedId(name), name, cidrs: addresses[service] ?? [] }
  })

/** Returns the prefix list of a gateway service by the service's name. */
export const prefixListOf = (serviceName: string): AwsPrefixList | undefined => {
  const region = /^com\.amazonaws\.([a-z0-9-]+)\./.exec(serviceName)?.[1] ?? ''
  return prefixLists(region).find(({ name }) => name === serviceName)
}

/** Some of the services that can be reached through an interface endpoint ("AWS services that integrate"). */
const interfaceServices = [
  's3',
  'dynamodb',
  'autoscaling',
  'ec2',
  'ec2messages',
  'ecr.api',
  'ecr.dkr',
  'eks',
  'elasticfilesystem',
  'elasticloadbalancing',
  'guardduty-data',
  'kms',
  'logs',
  'monitoring',
  'secretsmanager',
  'sns',
  'sqs',
  'ssm',
  'ssmmessages',
  'sts',
]

export interface EndpointService {
  readonly name: string
  readonly types: readonly ('Gateway' | 'Interface')[]
}

export const endpointServices = (region: string): readonly EndpointService[] =>
  interfaceServices.map(service => ({
    name: `com.amazonaws.${region}.${service}`,
    types: gatewayServices.includes(service) ? ['Gateway', 'Interface'] : ['Interface'],
  }))
