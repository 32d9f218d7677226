// Collects what a VTK object complains about, instead of letting VTK print it.
#pragma once
#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkNew.h>
#include <vtkObject.h>

#include <string>

namespace percussion {

class VtkErrors {
 public:
  explicit VtkErrors(vtkObject& object) {
    callback_->SetClientData(&text_);
    callback_->SetCallback([](vtkObject*, unsigned long, void* text, void* message) {
      if (message) *static_cast<std::string*>(text) += static_cast<const char*>(message);
    });
    watch(object);
  }
  ~VtkErrors() { callback_->SetCallback(nullptr); }
  VtkErrors(const VtkErrors&) = delete;
  VtkErrors& operator=(const VtkErrors&) = delete;

  void watch(vtkObject& object) {
    object.AddObserver(vtkCommand::ErrorEvent, callback_);
    object.AddObserver(vtkCommand::WarningEvent, callback_);
  }
  const std::string& text() const { return text_; }

 private:
  vtkNew<vtkCallbackCommand> callback_;
  std::string text_;
};

}  // namespace percussion
