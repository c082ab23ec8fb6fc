import { isIPv6 } from 'node:net'

/** The UDP and TCP address of a name server. */
export interface NameServerAddress {
  /** A name or an address. */
  readonly host: string
  readonly port: number
}

const dnsPort = 53

/**
 * Parses `ns.example.org`, `ns.example.org:5353`, `192.0.2.1:53`, `[2001:db8::1]:53` or `2001:db8::1`. Returns
 * undefined for any other form.
 */
export const parseNameServerAddress = (text: string): NameServerAddress | undefined => {
  if (isIPv6(text)) return { host: text, port: dnsPort }
  const match = /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[A-Za-z0-9._-]+))(?::(?<port>\d{1,5}))?$/.exec(text)
  const { bracketed, plain, port = dnsPort } = match?.groups ?? {}
  const host = bracketed ?? plain
  if (host === undefined || (bracketed !== undefined && !isIPv6(bracketed))) return undefined
  const number = Number(port)
  return number >= 1 && number <= 65_535 ? { host, port: number } : undefined
}
