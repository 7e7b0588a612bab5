/** How `npx changeset version` writes a change into CHANGELOG.md: the words of its file, and nothing else. */
module.exports = {
  getReleaseLine: ({ summary }) => Promise.resolve(`- ${summary.trim().replaceAll('\n', '\n  ')}`),
  getDependencyReleaseLine: () => Promise.resolve(''),
}
