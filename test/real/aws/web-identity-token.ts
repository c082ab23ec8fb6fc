const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An unsigned token in the form that STS accepts, valid until 2096. */
export const webIdentityToken = [
  part({ alg: 'RS256' }),
  part({ iss: 'https://issuer.example.com', sub: 'trellis', aud: 'sts.amazonaws.com', exp: 4_000_000_000 }),
  'signature',
].join('.')
