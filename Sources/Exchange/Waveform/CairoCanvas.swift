// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CCairo

/// A page to draw on with cairo, in pixels from the top left corner.
///
/// cairo keeps the first error of a drawing context and ignores what follows, so drawing calls are
/// not checked one by one; creating and ``finish()`` are. Not safe to share between threads.
final class CairoCanvas {
  enum Kind {
    case png
    case svg
  }

  struct Color {
    var red, green, blue, alpha: Double

    /// From `0xRRGGBB`.
    init(_ rgb: UInt32, alpha: Double = 1) {
      red = Double(rgb >> 16 & 0xFF) / 255
      green = Double(rgb >> 8 & 0xFF) / 255
      blue = Double(rgb & 0xFF) / 255
      self.alpha = alpha
    }

    func with(alpha: Double) -> Color {
      var color = self
      color.alpha = alpha
      return color
    }
  }

  struct Point {
    var x, y: Double
  }

  enum TextAnchor {
    case start, middle
  }

  /// The longest side that cairo's image surfaces can have.
  static let longestSide = 32_767

  private let kind: Kind
  private let sink = ByteSink()
  private let surface: OpaquePointer
  private let context: OpaquePointer

  init(_ kind: Kind, width: Int, height: Int) throws(ExchangeError) {
    let surface: OpaquePointer?
    let call: String
    switch kind {
    case .png:
      call = "cairo_image_surface_create"
      surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
    case .svg:
      call = "cairo_svg_surface_create_for_stream"
      surface = cairo_svg_surface_create_for_stream(
        ByteSink.write, sink.pointer, Double(width), Double(height))
    }
    // cairo never returns null: a failure is a surface or context whose status says so.
    guard let surface else { throw CairoCanvas.failure(CAIRO_STATUS_NULL_POINTER, call) }
    guard let context = cairo_create(surface) else {
      cairo_surface_destroy(surface)
      throw CairoCanvas.failure(CAIRO_STATUS_NULL_POINTER, "cairo_create")
    }
    self.kind = kind
    self.surface = surface
    self.context = context
    try check(cairo_surface_status(surface), call)
    try check(cairo_status(context), "cairo_create")
    if kind == .svg { cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX) }
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Ends the drawing and returns the file's bytes. Nothing can be drawn afterwards.
  func finish() throws(ExchangeError) -> [UInt8] {
    try check(cairo_status(context), "drawing")
    if kind == .png {
      try check(
        cairo_surface_write_to_png_stream(surface, ByteSink.write, sink.pointer),
        "cairo_surface_write_to_png_stream")
    }
    cairo_surface_finish(surface)
    try check(cairo_surface_status(surface), "cairo_surface_finish")
    return kind == .svg ? Self.withoutSurfaceNumber(sink.bytes) : sink.bytes
  }

  /// cairo before 1.18 names the root group after a counter of the process, `surface12`; without its
  /// digits the same drawing gives the same bytes.
  private static func withoutSurfaceNumber(_ svg: [UInt8]) -> [UInt8] {
    let name = Array("id=\"surface".utf8)
    guard let match = svg.firstRange(of: name) else { return svg }
    let end = svg[match.upperBound...].firstIndex(of: UInt8(ascii: "\"")) ?? match.upperBound
    return Array(svg[..<match.upperBound] + svg[end...])
  }

  private func check(_ status: cairo_status_t, _ call: String) throws(ExchangeError) {
    guard status == CAIRO_STATUS_SUCCESS else { throw Self.failure(status, call) }
  }

  private static func failure(_ status: cairo_status_t, _ call: String) -> ExchangeError {
    let text = cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
    return .cairo(call: call, status: status.rawValue, text: text)
  }
}

// MARK: - Drawing

extension CairoCanvas {
  /// Sets every pixel of a `.png` page: red, green and blue, 3 bytes each, row by row.
  func setPixels(_ pixels: [UInt8], width: Int, height: Int) {
    cairo_surface_flush(surface)
    guard let data = cairo_image_surface_get_data(surface) else { return }
    let stride = Int(cairo_image_surface_get_stride(surface))
    for row in 0..<height {
      for column in 0..<width {
        let from = 3 * (row * width + column)
        // A word of 24 bits, red the highest, in the machine's own order.
        let word =
          UInt32(pixels[from]) << 16 | UInt32(pixels[from + 1]) << 8 | UInt32(pixels[from + 2])
        UnsafeMutableRawPointer(data + row * stride + 4 * column)
          .storeBytes(of: word, as: UInt32.self)
      }
    }
    cairo_surface_mark_dirty(surface)
  }

  func fill(x: Double, y: Double, width: Double, height: Double, _ color: Color) {
    use(color)
    cairo_rectangle(context, x, y, width, height)
    cairo_fill(context)
  }

  func fill(polygon points: [Point], _ color: Color) {
    use(color)
    path(points)
    cairo_close_path(context)
    cairo_fill(context)
  }

  func outline(polygon points: [Point], _ color: Color, width: Double) {
    path(points)
    cairo_close_path(context)
    stroke(color, width: width, dash: [])
  }

  func line(through points: [Point], _ color: Color, width: Double, dash: [Double] = []) {
    path(points)
    stroke(color, width: width, dash: dash)
  }

  func fill(circleAt center: Point, radius: Double, _ color: Color) {
    use(color)
    cairo_new_path(context)
    cairo_arc(context, center.x, center.y, radius, 0, 2 * Double.pi)
    cairo_fill(context)
  }

  /// Draws text with its baseline at a point.
  func text(
    _ text: String, at point: Point, size: Double, bold: Bool = false, anchor: TextAnchor = .start,
    _ color: Color
  ) {
    let shift = anchor == .start ? 0 : width(of: text, size: size, bold: bold) / 2
    useFont(size: size, bold: bold)
    use(color)
    cairo_move_to(context, point.x - shift, point.y)
    cairo_show_text(context, text.legibleName)
  }

  /// How far text moves the pen, in pixels.
  func width(of text: String, size: Double, bold: Bool = false) -> Double {
    useFont(size: size, bold: bold)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text.legibleName, &extents)
    return extents.x_advance
  }

  private func use(_ color: Color) {
    cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
  }

  private func useFont(size: Double, bold: Bool) {
    cairo_select_font_face(
      context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
      bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context, size)
  }

  private func path(_ points: [Point]) {
    cairo_new_path(context)
    for point in points { cairo_line_to(context, point.x, point.y) }
  }

  private func stroke(_ color: Color, width: Double, dash: [Double]) {
    use(color)
    cairo_set_line_width(context, width)
    cairo_set_dash(context, dash, Int32(dash.count), 0)
    cairo_stroke(context)
  }
}

/// Where cairo's stream functions write to. The canvas keeps it alive as long as its surface.
private final class ByteSink {
  var bytes: [UInt8] = []

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let write: cairo_write_func_t = { closure, data, length in
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    let sink = Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
    sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
  }
}
