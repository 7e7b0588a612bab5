/** Loaded into the service before it: tells its memory when asked, and ends it when nobody is left to ask. */
process.on('message', () => process.send!(process.memoryUsage()))
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// It is no reason to stay.
process.channel?.unref()

export {}
