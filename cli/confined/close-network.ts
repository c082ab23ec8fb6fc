import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import type { RefusedAttempts } from './refused-attempts.ts'

/**
 * Closes the network of this process, which Node's permission model leaves open: sockets of every kind, and DNS
 * queries. A process may still connect to an address and port of this machine on which it listens itself.
 *
 * @param isAllowed returns true while the running code may open a connection. Default: never.
 */
export const closeNetwork = (
  { refuse }: Pick<RefusedAttempts, 'refuse'>,
  isAllowed: () => boolean = () => false,
): void => {
  const own = new Set<string>()
  const { listen, address: addressOf } = net.Server.prototype
  net.Server.prototype.listen = function (this: net.Server, ...args: unknown[]) {
    const { path } = targetOf(args)
    // Node creates a socket file for it, and its permission model allows that.
    if (path !== undefined) throw refuse(`listens at ${path}`)
    this.once('listening', () => {
      const address = Reflect.apply(addressOf, this, [])
      if (typeof address !== 'object' || address === null) return
      const place = placeOf(address.address, address.port)
      own.add(place)
      this.once('close', () => own.delete(place))
    })
    return Reflect.apply(listen, this, args)
  } as typeof listen

  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const target = targetOf(args)
    // Another program may listen at the same port of another address.
    const isOwn = loopback.has(target.host) && own.has(placeOf(target.host, target.port))
    if (target.path === undefined && (isOwn || isAllowed())) return Reflect.apply(connect, this, args)
    const error = refuse(`connects to ${target.path ?? `${target.host}:${target.port}`}`)
    // The error looks like that of a connection that the other host refuses.
    process.nextTick(() => this.destroy(error))
    return this
  } as typeof connect

  for (const name of ['send', 'connect'] as const)
    dgram.Socket.prototype[name] = () => {
      throw refuse('sends datagrams')
    }

  for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
    for (const [name, original] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (asks.test(name)) Object.assign(owner, { [name]: addressesOnly(original.value, refuse, isAllowed) })
}

/** Addresses only. Names are not safe, because a caller may pass its own `lookup` for them. */
const loopback = new Set(['127.0.0.1', '::1'])

const asks = /^(?:lookup|resolve|reverse)/

/** Resolves an address to itself, because a server looks up its own address before it listens. Refuses names. */
const addressesOnly = (
  original: (...args: readonly unknown[]) => unknown,
  refuse: RefusedAttempts['refuse'],
  isAllowed: () => boolean,
) =>
  function (this: unknown, ...args: readonly unknown[]): unknown {
    const [host] = args
    const isAddress = net.isIP(String(host)) !== 0
    if (original.name === 'lookup' && (isAddress || isAllowed())) return Reflect.apply(original, this, args)
    const error = refuse(`looks up ${host}`)
    const callback = args.at(-1)
    if (typeof callback !== 'function') return Promise.reject(error)
    process.nextTick(() => callback(error))
    return {}
  }

const placeOf = (host: string, port: number): string => `${host} ${port}`

interface ConnectTarget {
  readonly host: string
  readonly port: number
  /** The path of a Unix domain socket. */
  readonly path?: string
}

/** The arguments of `connect` are options, a path, or a port with a host. `net` may wrap them in an array. */
const targetOf = ([first, second]: readonly unknown[]): ConnectTarget => {
  if (Array.isArray(first)) return targetOf(first)
  if (typeof first === 'object' && first !== null) {
    const { host, port, path } = first as {
      readonly host?: unknown
      readonly port?: unknown
      readonly path?: unknown
    }
    return targetOf(typeof path === 'string' ? [path] : [port ?? 0, host])
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { host: '', port: 0, path: first }
  return { host: typeof second === 'string' ? second : 'localhost', port: Number(first) }
}
