/** The network of a confined process: none, HTTP requests that read, or all. */
export type AllowedNetwork = 'none' | 'reads' | 'all'

export interface NetworkFlags {
  readonly allowReads?: boolean
  readonly allowNetwork?: boolean
}

export const allowedNetwork = ({ allowReads, allowNetwork }: NetworkFlags): AllowedNetwork =>
  allowNetwork ? 'all' : allowReads ? 'reads' : 'none'

/** The protection of a dry run, for the help. */
export const protection = `A dry run protects from mistakes, not from hostile code, so read a function first. It cannot write files, start programs or
use the network. Where Linux lets users create network namespaces, the system ensures the last, but not with --allow-reads.
`

/** The descriptions of the two flags, for the help. */
export const networkFlags = {
  reads: 'let functions send HTTP requests with GET, HEAD and OPTIONS, and refuse all others',
  all: 'let functions use the network without limits, for a cloud in which nothing is lost. Changes there are real',
} as const
