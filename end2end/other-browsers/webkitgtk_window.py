# A window of WebKitGTK that is driven, and writes what scripts fail at to the file `console` in a folder. Debian's MiniBrowser keeps
# nothing while it is driven, and WebKit writes no console for windows that keep nothing.
# Called with the folder, the width and the height.
import os
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2

folder, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
console = os.open(os.path.join(folder, "console"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
# What shows the page is a process of its own, which inherits these.
os.dup2(console, 1)
os.dup2(console, 2)

keeps = WebKit2.WebsiteDataManager(base_data_directory=folder, base_cache_directory=folder)
context = WebKit2.WebContext(website_data_manager=keeps)
context.set_automation_allowed(True)
settings = WebKit2.Settings(enable_write_console_messages_to_stdout=True)
view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True, settings=settings)
window = Gtk.Window(default_width=width, default_height=height)
window.add(view)
window.connect("destroy", Gtk.main_quit)
window.show_all()


def drive(_context, session):
    # As the driver asks for it.
    about = WebKit2.ApplicationInfo()
    about.set_name("MiniBrowser")
    session.set_application_info(about)
    session.connect("create-web-view", lambda _session: view)


context.connect("automation-started", drive)
Gtk.main()
