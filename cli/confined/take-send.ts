/**
 * Removes `send` from a process that has an IPC channel, and returns it. Otherwise a function that sends a message,
 * such as `process.send('ready')`, would speak to the command in the name of the program.
 */
export const takeSend = (channel: NodeJS.Process): NodeJS.Process['send'] => {
  const send = channel.send?.bind(channel)
  Reflect.deleteProperty(channel, 'send')
  return send
}
