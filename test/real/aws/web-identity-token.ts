const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token of the shape that STS takes, valid until 2096; nobody has signed it. */
export const webIdentityToken = [
  part({ alg: 'RS256' }),
  part({ iss: 'https://issuer.example.com', sub: 'trellis', aud: 'sts.amazonaws.com', exp: 4_000_000_000 }),
  'signature',
].join('.')
