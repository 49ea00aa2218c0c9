// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Playback

/// What decides, around this process, whether and where sound can be played.
struct AudioDiagnostics: Hashable {
  /// Whether there is a sound card here; in a container that of the system around it does not count.
  var hasCards = false
  /// Whether this user may open what the kernel has of it.
  var mayOpenCards = true
  /// Whether the sound servers' sockets are there.
  var hasPulseAudio = false
  var hasPipeWire = false
  /// Whether alsa-lib has the plugins that lead to them.
  var hasPulsePlugin = false
  var hasPipeWirePlugin = false
  var isContainer = false
  var isRemote = false

  /// Those of this process.
  static func current(
    variable: (String) -> String? = UserFolders.variable
  ) -> AudioDiagnostics {
    var found = AudioDiagnostics()
    let devices = entries(of: "/dev/snd").filter { $0.hasPrefix("pcm") || $0.hasPrefix("control") }
    found.hasCards = !devices.isEmpty
    found.mayOpenCards = devices.allSatisfy { access("/dev/snd/\($0)", R_OK | W_OK) == 0 }
    let runtime = variable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
    found.hasPulseAudio =
      variable("PULSE_SERVER").map { !$0.isEmpty } ?? false
      || access(runtime + "/pulse/native", F_OK) == 0
    found.hasPipeWire = access(runtime + "/pipewire-0", F_OK) == 0
    let plugins =
      entries(of: "/usr/lib").map { "/usr/lib/\($0)/alsa-lib" }
      + ["/usr/lib/alsa-lib", "/usr/lib64/alsa-lib"]
    func hasPlugin(_ name: String) -> Bool {
      plugins.contains { access("\($0)/libasound_module_pcm_\(name).so", F_OK) == 0 }
    }
    found.hasPulsePlugin = hasPlugin("pulse")
    found.hasPipeWirePlugin = hasPlugin("pipewire")
    found.isContainer =
      access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0
      || variable("container") != nil
    found.isRemote = variable("SSH_CONNECTION") != nil
    return found
  }

  /// What to do about a device that cannot be opened, a line each; the likeliest first.
  func advice(_ problem: PlaybackError.Kind) -> [String] {
    var lines: [String] = []
    if problem == .deviceBusy {
      lines.append(
        "close the program that uses the device (see fuser -v /dev/snd/*), or use a sound server,"
          + " which several programs can share: apt install pipewire pipewire-alsa")
    }
    if hasPipeWire {
      lines.append(
        hasPipeWirePlugin
          ? "PipeWire is running: try --device pipewire, and 'settings set playback.device pipewire' if that works"
          : "PipeWire is running, but alsa-lib cannot reach it: apt install pipewire-alsa")
    } else if hasPulseAudio {
      lines.append(
        hasPulsePlugin
          ? "PulseAudio is available: try --device pulse, and 'settings set playback.device pulse' if that"
            + " works; 'pactl info' checks the server"
          : "PulseAudio is available, but alsa-lib cannot reach it: apt install libasound2-plugins"
      )
    }
    if hasCards, !mayOpenCards {
      lines.append(
        "permission denied for the sound card: sudo usermod -aG audio \"$USER\", and log in again"
      )
    } else if hasCards, !hasPipeWire, !hasPulseAudio, problem != .deviceBusy {
      lines.append(
        "there is a sound card: choose a device below with --device, and save it with"
          + " 'settings set playback.device NAME'")
    }
    if !hasCards, !hasPipeWire, !hasPulseAudio {
      if isRemote {
        lines.append(
          "over ssh, sound plays on the remote machine; to hear it locally, forward the"
            + " local sound server: ssh -R 24713:localhost:4713, PULSE_SERVER=tcp:localhost:24713,"
            + " apt install libasound2-plugins, --device pulse")
      } else if isContainer {
        lines.append(
          "this is a container without sound: start it with --device /dev/snd, or share the sound"
            + " server's socket with it (-v $XDG_RUNTIME_DIR/pulse/native:/tmp/pulse"
            + " -e PULSE_SERVER=unix:/tmp/pulse), apt install libasound2-plugins, --device pulse")
      } else {
        lines.append(
          "the system has neither a sound card nor a sound server: connect a card ('aplay -l' lists"
            + " them), or start the server: systemctl --user start pipewire pipewire-pulse")
      }
    }
    lines.append(
      "playback needs a sound device; everything else works; audition and play can write a file"
        + " with --output FILE.wav")
    return lines
  }

  private static func entries(of folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
