/** The last words of fields with a secret text, in lower case and without separators. */
const endings = [
  'password',
  'passwd',
  'passphrase',
  'privatekey',
  'secretkey',
  'secretaccesskey',
  'accesskeysecret',
  'clientsecret',
  'clientkey',
  'keydata',
  'kubeconfig',
  'apikey',
  'accesskey',
  'encryptionkey',
  'signingkey',
  'sharedkey',
  'apitoken',
  'authtoken',
  'accesstoken',
  'refreshtoken',
  'bearertoken',
  'sessiontoken',
  'securitytoken',
  'idtoken',
  'bootstraptoken',
  'connectionstring',
  'dockerconfigjson',
  'serviceaccountjson',
  'credentialsfile',
  'userdata',
]

/** Whole names of fields with a secret text. Longer names with these words are references: `secretName`. */
const names = ['secret', 'token', 'auth', 'authorization', 'credentials', 'cookie', 'pwd', 'jwt']

/**
 * Returns true if a text in a field of this name is a secret. References (`secretName`, `credentialsRef`) and settings
 * (`httpTokens`) are not.
 */
export const isSecretName = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return names.includes(plain) || endings.some(ending => plain.endsWith(ending))
}

/** The keys of Secrets with public values. */
const publicKeys =
  /^(?:.*\.(?:crt|pub|pem\.pub)|(?:ca-?)?bundle|ca|tls-?ca|.*bucket-?name|region|endpoint|.*(?:user|account)-?name|role-?arn|.*access-?key-?id|tenant-?id|project-?id|subscription-?id|client-?id|domain-?name)$/i

/** Returns true if the value of a Secret's key is public: a certificate, a bucket, a region. */
export const isPublicKey = (key: string): boolean =>
  publicKeys.test(key.replaceAll('_', '-').replaceAll(/([a-z])([A-Z])/g, '$1-$2'))
