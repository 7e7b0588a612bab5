# workerd runs the test of one worker, which is main.js and all that it imports in one file.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(
    name = "main",
    worker = (modules = [(name = "main", esModule = embed "main.bundle.js")], compatibilityDate = "2025-09-01"),
  )],
);
