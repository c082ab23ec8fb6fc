/** Returns true for a command that only reads, such as `DescribeVpcsCommand`. */
export const isRead = (command: unknown): boolean =>
  typeof command === 'string' && /^(?:Get|List|Describe|Head|AssumeRole)/.test(command)
